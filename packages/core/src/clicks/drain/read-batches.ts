import type { Pool } from "pg";
import { listSegments, readSegment, type Segment, type SegmentPart } from "../log/index.ts";
import type { Batch } from "./prepare/prepare.ts";
import type { ClickStore } from "./store/store.ts";

/** A part of a segment, ready to be stored. */
export interface BatchPart extends Omit<SegmentPart, "clicks"> {
  segment: Segment;
  /** Byte offset where it starts */
  from: number;
  batch: Batch;
}

/** A segment that cannot be read, and why. */
export interface UnreadableSegment {
  segment: Segment;
  failure: unknown;
}

export interface BatchSource {
  pool: Pool;
  store: ClickStore;
  /** The click log's folder */
  folder: string;
  /** Clicks in a batch, about */
  batchSize: number;
  /** Byte offsets up to which segments are counted, by id, as far as known; others are read from the database */
  positions: Map<string, number>;
}

/** Yields what is in the log and not counted; each part is read and prepared while the one before is being stored. */
export const readBatches = (source: BatchSource) => readAhead(partsOf(source));

async function* partsOf(source: BatchSource): AsyncGenerator<BatchPart | UnreadableSegment, void> {
  const { pool, folder, positions } = source;
  for (const segment of await listSegments(folder)) {
    let from = positions.get(segment.id) ?? (await positionOf(pool, segment.id));
    positions.set(segment.id, from);
    if (from >= segment.bytes && !segment.sealed) continue;
    for (let end = false; !end; ) {
      const part = await read(source, segment, from);
      yield part;
      if ("failure" in part) break;
      ({ next: from, end } = part);
    }
  }
}

async function read(
  { store, batchSize }: BatchSource,
  segment: Segment,
  from: number,
): Promise<BatchPart | UnreadableSegment> {
  try {
    const { clicks, ...part } = await readSegment(segment, from, batchSize);
    return { segment, from, ...part, batch: await store.prepare(clicks) };
  } catch (failure) {
    return { segment, failure };
  }
}

async function positionOf(pool: Pool, segment: string): Promise<number> {
  const { rows } = await pool.query<{ position: string }>({
    name: "position-of-segment",
    text: "select position from click_segments where id = $1",
    values: [segment],
  });
  return Number(rows[0]?.position ?? 0);
}

/** Yields the values of `source`, each one made while the one before it is used. */
async function* readAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It is awaited only when this value was used; until then Node would report a rejection as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return();
  }
}
