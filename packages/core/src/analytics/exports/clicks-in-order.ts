import type { PoolClient } from "pg";
import { type ColumnName, columnNames, type NumberColumn } from "../../clicks/blocks/block.ts";
import { BinaryClicks, uuidOf } from "../../clicks/blocks/binary-clicks.ts";
import { chosenIn } from "../../clicks/blocks/count.ts";
import { listBlocks, type ReadBlock, readBlocks } from "../../clicks/blocks/read-blocks.ts";
import { firstIdAt, idOf, sequenceBits } from "../../clicks/click-id.ts";
import { ClickHouseFailure } from "../../clicks/clickhouse/connection.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";
import { firstWhere } from "../../kernel/numbers.ts";
import type { Selection } from "../questions/conditions.ts";
import { conditionOn } from "../questions/count.ts";

/** Clicks in the order of their ids, from rows and from blocks, column by column, since an export may have millions. */

/** Rows in one statement */
const rowsAtOnce = 4000;

/** Clicks of small blocks whose values are looked up together */
const clicksTogether = 20_000;

/** Clicks that were read together, in the order of their ids. */
export interface ClickBatch {
  /** Milliseconds since the epoch */
  times: ArrayLike<number>;
  sequences: ArrayLike<number>;
  /** UUIDs, or in blocks numbers in `click_values` */
  links: Coded<string | number>;
  /** Numbers; `none` for null */
  column(name: NumberColumn): Coded<number>;
  /** The indexes of the matching clicks, ascending */
  chosen: ArrayLike<number>;
  /** This batch and others that follow, if their values are best looked up together */
  together?: readonly ClickBatch[];
}

/** Clicks that come before all remaining ones: those from one index of the batch's `chosen` up to another. */
export interface Run {
  batch: ClickBatch;
  from: number;
  to: number;
}

/** An id in two parts. */
export interface ClickPosition {
  time: number;
  sequence: number;
}

/** Which clicks are read; the condition of the selection has no parameters. */
export interface InOrder {
  selection: Selection;
  from: number;
  to: number;
  /** The last click that was read before; null for none */
  after: ClickPosition | null;
}

/** The connection must see one snapshot. If ClickHouse is queried instead, it has all clicks. */
export async function* clicksInOrder(database: PoolClient, query: InOrder): AsyncGenerator<Run, void> {
  const { selection, from, to, after } = query;
  if (selection.copy) {
    yield* copyInOrder(selection.copy, query);
    return;
  }
  const range = { account: selection.account, isBot: selection.isBot, from: after?.time ?? from, to };
  const waiting = (await listBlocks(database, range)).toSorted((a, b) => a.first - b.first);
  const blocks = blockBatches(database, query, waiting);
  const rows = rowBatches(database, query);
  const sources: Source[] = [];
  const open = async (batches: AsyncGenerator<ClickBatch, void>) => {
    const { value: batch } = await batches.next();
    if (batch && batch.chosen.length > 0) sources.push({ batches, batch, at: 0 });
  };
  await open(rows);
  for (let opened = 0; ; ) {
    const [first, second] = sources.toSorted((a, b) => comparePositions(next(a), next(b)));
    const unopened = waiting[opened]?.first;
    // A block is opened when its first click may be the next one.
    if (unopened !== undefined && (first === undefined || unopened <= next(first).time)) {
      await open(blocks);
      opened += 1;
      continue;
    }
    if (first === undefined) return;
    const limits = [
      ...(second === undefined ? [] : [next(second)]),
      ...(unopened === undefined ? [] : [{ time: unopened, sequence: 0 }]),
    ];
    const { batch, at } = first;
    first.at = limits.reduce((end, limit) => Math.min(end, endBefore(first, limit)), batch.chosen.length);
    yield { batch, from: at, to: first.at };
    if (first.at < batch.chosen.length) continue;
    sources.splice(sources.indexOf(first), 1);
    if (first.batches === rows) await open(rows);
  }
}

interface Source {
  batches: AsyncGenerator<ClickBatch, void>;
  batch: ClickBatch;
  /** The index in `chosen` of the next click */
  at: number;
}

const next = ({ batch, at }: Source): ClickPosition => positionAt(batch, at);

/** The click at an index of `chosen`. */
export function positionAt({ times, sequences, chosen }: ClickBatch, at: number): ClickPosition {
  const click = chosen[at] as number;
  return { time: times[click] as number, sequence: sequences[click] as number };
}

/** Orders clicks by their ids. */
export const comparePositions = (left: ClickPosition, right: ClickPosition) =>
  left.time - right.time || left.sequence - right.sequence;

/** The index of the first click, after the next one, that is not before another one. */
const endBefore = ({ batch, at }: Source, limit: ClickPosition): number =>
  firstWhere(at + 1, batch.chosen.length, (index) => comparePositions(positionAt(batch, index), limit) >= 0);

async function* blockBatches(
  database: PoolClient,
  { selection, from, to, after }: InOrder,
  summaries: Parameters<typeof readBlocks>[2],
): AsyncGenerator<ClickBatch, void> {
  if (summaries.length === 0) return;
  const conditions = await selection.blockConditions();
  for await (const blocks of readBlocks(database, selection, summaries, { ids: true }))
    for (const group of inGroups(blocks)) {
      const batches = group.map((read): ClickBatch => {
        const batch = batchOf(read);
        const range = [from, to].map((time) => indexIn(batch, { time, sequence: 0 }));
        if (after !== null) range[0] = indexIn(batch, { time: after.time, sequence: after.sequence + 1 });
        return { ...batch, chosen: chosenIn(read.block, conditions, range as [number, number]) };
      });
      const together = batches.filter(({ chosen }) => chosen.length > 0);
      for (const batch of batches) yield { ...batch, together };
    }
}

/** Small blocks together, large ones alone. */
function inGroups(blocks: readonly ReadBlock[]): ReadBlock[][] {
  const groups: ReadBlock[][] = [];
  let clicks = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    clicks += block.summary.clicks;
    if (clicks > clicksTogether) {
      groups.push([]);
      clicks = block.summary.clicks;
    }
    groups.at(-1)?.push(block);
  }
  return groups;
}

function batchOf({ summary, block, sequences }: ReadBlock): Omit<ClickBatch, "chosen"> {
  const inDay = block.times();
  const times = new Float64Array(inDay.length);
  for (let click = 0; click < times.length; click++) times[click] = summary.start + (inDay[click] as number);
  return {
    times,
    sequences: sequences(),
    links: block.column("link"),
    column: (name) => block.column(name),
  };
}

/** The index of the first click that is not before another one. */
function indexIn({ times, sequences }: Omit<ClickBatch, "chosen">, limit: ClickPosition): number {
  const positionOf = (at: number) => ({ time: times[at] as number, sequence: sequences[at] as number });
  return firstWhere(0, times.length, (at) => comparePositions(positionOf(at), limit) >= 0);
}

async function* rowBatches(
  database: PoolClient,
  { selection, from, to, after }: InOrder,
): AsyncGenerator<ClickBatch, void> {
  let first = after === null ? firstIdAt(from) : idOf(after.time, after.sequence) + 1n;
  for (;;) {
    // In the order of the index, without a join, which would have to read all of them first.
    const rows = await BinaryClicks.read(
      database,
      `from clicks c where ${selection.condition} and ${selection.kind} and id >= ${first} and id < ${firstIdAt(to)}
       order by id limit ${rowsAtOnce}`,
    );
    let { count } = rows;
    const isLast = count < rowsAtOnce;
    if (!isLast) {
      // Two nodes may have used the same id: rows with the last one are read together, next time.
      first = rows.id(count - 1);
      while (rows.id(count - 1) === first) count--;
    }
    if (count > 0) yield batchOfRows(rows, count);
    if (isLast) return;
  }
}

function batchOfRows(rows: BinaryClicks, count: number): ClickBatch {
  const times = new Float64Array(count);
  const sequences = new Int32Array(count);
  const chosen = new Uint16Array(count);
  for (let row = 0; row < count; row++) {
    times[row] = rows.time(row);
    sequences[row] = rows.sequence(row);
    chosen[row] = row;
  }
  const links = coded(count, (row) => rows.linkKey(row));
  return {
    times,
    sequences,
    links: { ...links, values: links.values.map(uuidOf) },
    column: codedColumns(count, (name: NumberColumn) => (row) => rows.value(name, row)),
    chosen,
  };
}

/** Time, sequence, then the columns in the order of `columnNames`. */
type CopyRow = readonly (string | number)[];

/** Reads clicks from ClickHouse in the order of their ids, as they arrive. */
async function* copyInOrder(
  copy: ClickHouseClicks,
  { selection: { account, isBot, blockConditions }, from, to, after }: InOrder,
): AsyncGenerator<Run, void> {
  const conditions = await blockConditions();
  const later = after === null ? "" : `and id > ${idOf(after.time, after.sequence)}`;
  const portions = copy.clickhouse.portions<CopyRow>(
    `select bitShiftRight(id, ${sequenceBits}), bitAnd(id, ${(1n << sequenceBits) - 1n}), ${columnNames.join()}
     from clicks where ${conditionOn(copy, { account, isBot, conditions, from, to })} ${later} order by id`,
  );
  let isChecked = false;
  for await (const rows of portions) {
    // ClickHouse reads on from what it had when it began.
    if (!isChecked) await requireUnchanged(copy);
    isChecked = true;
    for (let at = 0; at < rows.length; at += copyRowsAtOnce) {
      const batch = batchOfCopy(rows.slice(at, at + copyRowsAtOnce));
      yield { batch, from: 0, to: batch.chosen.length };
    }
  }
  if (!isChecked) await requireUnchanged(copy);
}

async function requireUnchanged(copy: ClickHouseClicks): Promise<void> {
  if (!(await copy.isUnchanged()))
    throw new ClickHouseFailure("The copy in ClickHouse changed while it was read");
}

/** Indexes of rows are numbers of 16 bits. */
const copyRowsAtOnce = 2 ** 15;

function batchOfCopy(rows: readonly CopyRow[]): ClickBatch {
  const column = codedColumns(rows.length, (name: ColumnName) => {
    const cell = 2 + columnNames.indexOf(name);
    return (row) => rows[row]?.[cell] as number;
  });
  return {
    times: rows.map(([time]) => Number(time)),
    sequences: rows.map(([, sequence]) => Number(sequence)),
    links: column("link"),
    column,
    chosen: Uint16Array.from(rows.keys()),
  };
}

/** A column: the position of each click's value. */
export interface Coded<T> {
  positions: ArrayLike<number>;
  values: ArrayLike<T>;
}

/** Builds columns from rows, each on first use. */
function codedColumns<Name>(count: number, valuesOf: (name: Name) => (row: number) => number) {
  const columns = new Map<Name, Coded<number>>();
  return (name: Name): Coded<number> => {
    const column = columns.get(name) ?? coded(count, valuesOf(name));
    columns.set(name, column);
    return column;
  };
}

/** Makes a column of at most 65,536 rows. */
function coded<T>(count: number, valueOf: (row: number) => T): { positions: Uint16Array; values: T[] } {
  const positionOf = new Map<T, number>();
  const positions = new Uint16Array(count);
  for (let row = 0; row < count; row++) {
    const value = valueOf(row);
    let position = positionOf.get(value);
    if (position === undefined) positionOf.set(value, (position = positionOf.size));
    positions[row] = position;
  }
  return { positions, values: [...positionOf.keys()] };
}
