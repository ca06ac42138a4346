import type { Pool } from "pg";
import { listSegments, readSegment, type Segment, type SegmentPart } from "../log/segments.ts";
import { type Parts, splitParts, wholeBatch } from "./parts.ts";
import { type Counted, countedTo, nothingCounted, positionsOf } from "./positions.ts";
import type { ClickStore } from "./store/store.ts";

/** A part of a segment, ready to be stored. */
export interface BatchPart extends Omit<SegmentPart, "clicks"> {
  segment: Segment;
  /** Byte offset where it starts */
  from: number;
  /** Its clicks; null if there are none */
  parts: Parts | null;
}

/** A segment that cannot be read, and why. */
interface UnreadableSegment {
  segment: Segment;
  failure: unknown;
}

interface BatchSource {
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

/** Yields the uncounted parts of the log; each is read and prepared while the one before is being stored. */
export const readBatches = (source: BatchSource) => readAhead(partsOf(source));

async function* partsOf(source: BatchSource): AsyncGenerator<BatchPart | UnreadableSegment, void> {
  const { pool, folder, positions } = source;
  for (const segment of await listSegments(folder)) {
    const known = positions.get(segment.id);
    let at = known === undefined ? await positionOf(pool, segment.id) : countedTo(known);
    positions.set(segment.id, at.from);
    if (at.from >= segment.bytes && !segment.sealed) continue;
    for (let end = false; !end; ) {
      const part = await read(source, segment, at);
      if (part === null) {
        positions.delete(segment.id);
        break;
      }
      yield part;
      if ("failure" in part) break;
      await part.parts?.prepared;
      at = countedTo(part.next);
      end = part.end;
    }
  }
}

/** Null if a started batch lost its end and its writer has not noticed yet. */
async function read(
  { store, batchSize, splitFrom }: BatchSource,
  segment: Segment,
  { from, until, done }: Counted,
): Promise<BatchPart | UnreadableSegment | null> {
  try {
    const isBegun = until !== null;
    const maxClicks = isBegun ? Number.POSITIVE_INFINITY : batchSize;
    const { clicks, ...part } = await readSegment(segment, from, maxClicks, until ?? undefined);
    if (isBegun && part.next < until) {
      if (!segment.sealed) return null;
      // A power failure took the end of the file, and the rest of the batch with it.
      part.next = until;
    }
    let parts: Parts | null = null;
    if (isBegun || clicks.length >= splitFrom) parts = splitParts(store, clicks, done);
    else if (clicks.length > 0) parts = wholeBatch(store, clicks);
    return { segment, from, ...part, parts };
  } catch (failure) {
    return { segment, failure };
  }
}

const positionOf = async (pool: Pool, segment: string): Promise<Counted> =>
  (await positionsOf(pool, [segment])).get(segment) ?? nothingCounted;

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
