import type { PoolClient } from "pg";
import type { ShortHost } from "../../kernel/host-names.ts";
import {
  type ClickBatch,
  type ClickPosition,
  comparePositions,
  positionAt,
  type Run,
} from "../exports/clicks-in-order.ts";
import {
  type Cell,
  clicksWithCells,
  type ExportQuestion,
  exportParts,
  type SharedCells,
  type SharedPart,
} from "../exports/cells.ts";
import type { RowGroup, SharedTexts } from "./write.worker.ts";
import type { ParquetFile } from "./parquet-file.ts";

/** Rows that are compressed together: some MB of memory, here and in the thread. */
const usualRows = 65_536;

/**
 * Yields a Parquet file with the rows of `exportPieces`, each piece in Base64. After a failure, the same `file` and a question with
 * the same `position` continue it.
 */
export async function* parquetPieces(
  database: PoolClient,
  shortHost: ShortHost,
  file: ParquetFile,
  question: ExportQuestion,
  groupRows = usualRows,
): AsyncGenerator<string, void> {
  const { position } = question;
  const taken = async () => {
    const written = await file.take();
    if (written === null) return [];
    position.after = written.after ?? position.after;
    return [Buffer.from(written.bytes).toString("base64")];
  };
  yield* await taken();
  const fragment = (cells: readonly Cell[]) => cells.map(([, text]) => text);
  let group = new Group(groupRows);
  for await (const { run, cells } of clicksWithCells(database, shortHost, question, fragment)) {
    for (let at = run.from; at < run.to; ) {
      if (group.isFullBefore(positionAt(run.batch, at))) {
        yield* await taken();
        file.write(group.rows(), group.last);
        group = new Group(groupRows);
      }
      at = group.add(run, at, cells);
    }
  }
  yield* await taken();
  if (group.last !== null) {
    file.write(group.rows(), group.last);
    yield* await taken();
  }
  file.write(null, null);
  yield* await taken();
}

const parts = Object.keys(exportParts).filter(
  (part): part is SharedPart => part !== "click" && part !== "visitor",
);

/** Room in a group for clicks with the id of its last one, which other nodes have used: a file continues after an id. */
const spareRows = 16;

/** Rows of a group, of any batches. */
class Group {
  last: ClickPosition | null = null;
  #count = 0;
  readonly #size: number;
  readonly #times: Float64Array;
  readonly #unique: Uint8Array;
  readonly #shared: (SharedTexts & { part: SharedPart })[];
  /** By batch: where its values begin among those of each part */
  readonly #starts = new Map<ClickBatch, readonly number[]>();

  constructor(size: number) {
    this.#size = size;
    const room = size + spareRows;
    this.#times = new Float64Array(room);
    this.#unique = new Uint8Array(room);
    this.#shared = parts.map((part) => ({
      part,
      names: exportParts[part],
      values: [],
      places: new Uint32Array(room),
    }));
  }

  isFullBefore(next: ClickPosition): boolean {
    if (this.last === null || this.#count < this.#size) return false;
    return this.#count === this.#times.length || comparePositions(this.last, next) !== 0;
  }

  /** Adds clicks of a run from an index on, as many as there is room for; returns the index of the next one. */
  add({ batch, to }: Run, from: number, cells: SharedCells<readonly string[]>): number {
    const end = Math.min(to, from + Math.max(1, this.#size - this.#count));
    const { times, chosen } = batch;
    const unique = batch.column("unique");
    for (let at = from, row = this.#count; at < end; at++, row++) {
      const click = chosen[at] as number;
      this.#times[row] = times[click] as number;
      this.#unique[row] = Number(unique.values[unique.positions[click] as number] === 1);
    }
    for (const [which, { part, places }] of this.#shared.entries()) {
      const start = this.#startsOf(batch, cells)[which] as number;
      const { positions } = cells[part];
      for (let at = from, row = this.#count; at < end; at++, row++)
        places[row] = start + (positions[chosen[at] as number] as number);
    }
    this.#count += end - from;
    this.last = positionAt(batch, end - 1);
    return end;
  }

  rows(): RowGroup {
    return { count: this.#count, times: this.#times, unique: this.#unique, shared: this.#shared };
  }

  #startsOf(batch: ClickBatch, cells: SharedCells<readonly string[]>): readonly number[] {
    const known = this.#starts.get(batch);
    if (known !== undefined) return known;
    const starts = this.#shared.map(({ part, values }) => {
      const start = values.length;
      for (const value of Array.from(cells[part].values)) values.push(value);
      return start;
    });
    this.#starts.set(batch, starts);
    return starts;
  }
}
