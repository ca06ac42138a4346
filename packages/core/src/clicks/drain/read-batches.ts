import type { Pool } from "pg";
import { listSegments, readSegment, type Segment, type SegmentPart } from "../log/index.ts";
import { type PartBit, splitByLink } from "./prepare/parts.ts";
import type { Batch } from "./prepare/prepare.ts";
import type { ClickStore } from "./store/store.ts";

/** A part of a segment, ready to be stored. */
export interface BatchPart extends Omit<SegmentPart, "clicks"> {
  segment: Segment;
  /** Byte offset where it starts */
  from: number;
  /** Its clicks; null if there are none, or if they are split */
  batch: Batch | null;
  /** Its clicks by links, those that are not counted yet; null if they are not split */
  split: { parts: Map<PartBit, Batch>; all: number } | null;
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
  /** A batch of that many clicks is split */
  splitFrom: number;
  /** Byte offsets up to which segments are counted, by id, as far as known; others are read from the database */
  positions: Map<string, number>;
}

/** Yields what is in the log and not counted; each part is read and prepared while the one before is being stored. */
export const readBatches = (source: BatchSource) => readAhead(partsOf(source));

async function* partsOf(source: BatchSource): AsyncGenerator<BatchPart | UnreadableSegment, void> {
  const { pool, folder, positions } = source;
  for (const segment of await listSegments(folder)) {
    const known = positions.get(segment.id);
    let at = known === undefined ? await positionOf(pool, segment.id) : { from: known };
    positions.set(segment.id, at.from);
    if (at.from >= segment.bytes && !segment.sealed) continue;
    for (let end = false; !end; ) {
      const part = await read(source, segment, at);
      yield part;
      if ("failure" in part) break;
      at = { from: part.next };
      end = part.end;
    }
  }
}

/** How far a segment is counted: to the byte offset `from`, and of the clicks until `until` those of the parts `done`. */
interface Counted {
  from: number;
  until?: number;
  done?: number;
}

async function read(
  { store, batchSize, splitFrom }: BatchSource,
  segment: Segment,
  { from, until, done = 0 }: Counted,
): Promise<BatchPart | UnreadableSegment> {
  try {
    const maxClicks = until === undefined ? batchSize : Number.POSITIVE_INFINITY;
    const { clicks, ...part } = await readSegment(segment, from, maxClicks, until);
    const isSplit = until !== undefined || clicks.length >= splitFrom;
    if (!isSplit) {
      const batch = clicks.length === 0 ? null : await store.prepare(clicks);
      return { segment, from, ...part, batch, split: null };
    }
    const split = { parts: new Map<PartBit, Batch>(), all: 0 };
    for (const [bit, some] of splitByLink(clicks)) {
      split.all |= bit;
      if ((done & bit) === 0) split.parts.set(bit, await store.prepare(some));
    }
    return { segment, from, ...part, batch: null, split };
  } catch (failure) {
    return { segment, failure };
  }
}

async function positionOf(pool: Pool, segment: string): Promise<Counted> {
  const { rows } = await pool.query<{ position: string; until: string | null; done: number }>({
    name: "position-of-segment",
    text: "select position, parts_until as until, parts_done as done from click_segments where id = $1",
    values: [segment],
  });
  const [row] = rows;
  if (row === undefined) return { from: 0 };
  const from = Number(row.position);
  return row.until === null ? { from } : { from, until: Number(row.until), done: row.done };
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
