import type { Pool } from "pg";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import { dayMs } from "../../kernel/time.ts";
import { splitParts, storeParts } from "../drain/parts.ts";
import { type Counted, nothingCounted, positionsOf } from "../drain/positions.ts";
import { withCurrentBatches } from "../drain/store/required-rows.ts";
import { type ClickStore, isRefused } from "../drain/store/store.ts";
import { frameTime } from "../log/format.ts";
import type { ClickStream } from "./click-stream.ts";
import { decodeEntry } from "./entry.ts";
import { createLease, createTrimming, finishedDays } from "./trimming.ts";
import { type Part, type Positions, Window } from "./window.ts";

export interface StreamDrainOptions {
  pool: Pool;
  store: ClickStore;
  stream: ClickStream;
  onEvent: (event: CoreEvent) => void;
  /** Clicks in a transaction, about; default 10,000 */
  batchSize?: number;
  /** Milliseconds until the next pass if there was little to do; default 200 */
  intervalMs?: number;
  /** The node that wrote a segment has this long to count it from its disk; default 2000 */
  graceMs?: number;
  /** Bytes that wait in memory, unless a batch that was begun needs more; default 64 MiB */
  maxBytes?: number;
  /**
   * Entries are kept for this long after they are counted, or until all replicas of the database have what counted them; at
   * least for `acknowledgeMs`. Default 0
   */
  keepMs?: number;
  /** How far the stream is counted is noted in the database with this delay; default 30,000 */
  acknowledgeMs?: number;
}

/** Entries that are read at once */
const readEntries = 100;
/** Segments whose gaps are remembered as reported */
const maxReported = 1000;
/** How often the database may refuse the clicks of a segment before its entries are given up */
const maxRefusals = 5;
/** Milliseconds between two attempts to take the lease */
const takeMs = 1000;

/**
 * Counts the clicks that the stream has and the database lacks, on one node at a time. Nodes count from their own
 * disks, so only lost or overloaded nodes leave anything here. The position of a segment in the database decides
 * about each frame, whichever source it came from.
 */
export function createStreamDrain(options: StreamDrainOptions) {
  const { pool, store, stream, onEvent } = options;
  const {
    batchSize = 10_000,
    intervalMs = 200,
    graceMs = 2000,
    keepMs = 0,
    acknowledgeMs = 30_000,
    maxBytes = 64 * 1_048_576,
  } = options;
  const lease = createLease(pool);
  const trimming = createTrimming({ pool, stream, lease, keepMs, acknowledgeMs });
  const entries = new Window();
  /** Up to here the stream was read */
  let read: string | null = null;
  /** Whether the stream has the position from which it is read */
  let isPositionKnown = false;
  /** Entries with older clicks are left out */
  let notBefore = Number.NEGATIVE_INFINITY;
  const inUse = Promise.withResolvers<void>();
  const refusals = new Map<string, number>();
  const reportedGaps = new Set<string>();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  /** Bytes up to which the stream is read */
  let room = maxBytes;

  /** Forgets everything except what the database knows. */
  function restart(): void {
    entries.clear();
    refusals.clear();
    trimming.restart();
    read = lease.counted === "" ? null : lease.counted;
    isPositionKnown = false;
  }

  async function pass(): Promise<number> {
    if (!lease.isHeld) {
      const isTaken = await lease.take();
      inUse.resolve();
      if (!isTaken) {
        entries.clear();
        return takeMs;
      }
      restart();
    }
    if (!(await findPosition())) return takeMs;
    const isMore = await readMore();
    const positions = await positionsOf(pool, entries.segments());
    for (const [segment, bytes] of entries.acknowledge(positions, performance.now()))
      reportGap(segment, bytes);
    const counted = await countDue(positions);
    // Each lost node may have begun a large batch, which can only be finished as a whole.
    room = isMore && counted === 0 ? room * 2 : maxBytes;
    await tidy();
    return isMore || counted > 0 ? 0 : intervalMs;
  }

  /**
   * A server that has lost the end of the stream, in a power failure for example, gives new entries ids that were counted before.
   * Then all entries are read again, since positions decide what is counted; those of finished segments are kept for a day.
   * Returns false if the lease was lost.
   */
  async function findPosition(): Promise<boolean> {
    if (!isPositionKnown && read !== null && (await stream.endsBefore(read))) {
      if (!(await lease.advance(""))) return false;
      restart();
      notBefore = Date.now() - finishedDays * dayMs;
    }
    isPositionKnown = true;
    return true;
  }

  /** Once for each segment. */
  function reportGap(segment: string, bytes: number): void {
    if (reportedGaps.has(segment)) return;
    if (reportedGaps.size >= maxReported) reportedGaps.clear();
    reportedGaps.add(segment);
    onEvent(coreEvent("click_stream_gap", { segment, bytes }));
  }

  async function readMore(): Promise<boolean> {
    const skipped = new Map<string, number>();
    let isMore = true;
    while (isMore && entries.bytes < room && !loop.signal.aborted) {
      const found = await stream.read(read, readEntries);
      for (const { id, body } of found) {
        const frames = framesOf(body);
        if (typeof frames === "string") skipped.set(frames, (skipped.get(frames) ?? 0) + 1);
        else entries.add(frames, read, performance.now());
        read = id;
      }
      isMore = found.length === readEntries;
    }
    for (const [reason, count] of skipped)
      onEvent(coreEvent("click_stream_entries_skipped", { reason, entries: count }));
    return isMore;
  }

  function framesOf(body: Buffer): ReturnType<typeof decodeEntry> | "old" {
    const frames = decodeEntry(body);
    return typeof frames !== "string" && frameTime(frames.bytes, 0) < notBefore ? "old" : frames;
  }

  async function countDue(positions: Positions): Promise<number> {
    let counted = 0;
    const isFull = entries.bytes >= maxBytes / 2;
    for (const segment of entries.due(performance.now(), isFull ? 0 : graceMs)) {
      if (loop.signal.aborted) break;
      try {
        counted += await countSegment(segment, positions.get(segment) ?? nothingCounted);
        refusals.delete(segment);
        // Renews the lease, which many segments could outlast.
        await tidy();
        if (!lease.isHeld) break;
      } catch (err) {
        if (!isRefused(err)) throw err;
        refuse(segment, err);
      }
    }
    return counted;
  }

  /** Returns the number of clicks. Stops if another drain counts this segment. */
  async function countSegment(segment: string, { from, until, done }: Counted): Promise<number> {
    let clicks = 0;
    if (until !== null) {
      const part = entries.next(segment, from, Number.POSITIVE_INFINITY, until);
      if (part?.to !== until || !(await finishSplit(part, done))) return 0;
      clicks += part.clicks.length;
      from = until;
      entries.counted(segment, from, performance.now());
    }
    while (!loop.signal.aborted) {
      const part = entries.next(segment, from, batchSize);
      if (part === null) break;
      const isStored = await withCurrentBatches(async () =>
        store.store(await store.prepare(part.clicks), progressOf(part), part.writer),
      );
      if (!isStored) break;
      entries.counted(segment, part.to, performance.now());
      clicks += part.clicks.length;
      from = part.to;
    }
    return clicks;
  }

  /** Counts what a drain that counted a large batch in parts has left of it; `done` has the bits of those that are counted. */
  const finishSplit = (part: Part, done: number): Promise<boolean> =>
    withCurrentBatches(async () => {
      const split = splitParts(store, part.clicks, done);
      // One at a time, as this drain has one connection.
      return (await storeParts(store, split, progressOf(part), part.writer, 1)).complete;
    });

  function refuse(segment: string, err: unknown): void {
    const times = (refusals.get(segment) ?? 0) + 1;
    refusals.set(segment, times);
    if (times < maxRefusals) return;
    refusals.delete(segment);
    entries.drop(segment);
    onEvent(coreEvent("click_stream_segment_refused", { segment, err }));
  }

  /** Records how far the stream is counted, which renews the lease, unless the database went back in time. */
  async function tidy(): Promise<void> {
    const now = performance.now();
    trimming.counted(entries.countedUpTo(read), now);
    if (now - tidiedAt < Math.min(1000, acknowledgeMs)) return;
    tidiedAt = now;
    entries.forgetAcknowledged(now - acknowledgeMs);
    // A database that went back in time need not have failed a statement: this process may have been paused.
    const { acknowledged } = entries;
    const positions = await positionsOf(pool, [...acknowledged.keys()]);
    const lost = [...acknowledged].filter(([id, { position }]) => (positions.get(id)?.from ?? 0) < position);
    if (lost.length === 0) return trimming.run(now);
    onEvent(coreEvent("clicks_counted_again", { segments: lost.length }));
    restart();
  }

  const loop = backgroundLoop({
    runOnce: () =>
      pass().catch((error: unknown) => {
        restart();
        throw error;
      }),
    retryMs: 1000,
    keepsProcessAlive: true,
    onFailure: (err) => onEvent(coreEvent("click_stream_drain_failing", { err })),
    onRecovery: () => onEvent(coreEvent("click_stream_drain_restored")),
  });

  return {
    start: loop.start,
    /** Resolves when the database knows that a stream is used, and therefore keeps the positions of finished segments. */
    inUse: inUse.promise,
    /** Stops after the current batch. */
    async stop(): Promise<void> {
      await loop.stop();
      await lease.release().catch(() => {}); // then it ends by itself
      await stream.close();
    },
  };
}

const progressOf = ({ segment, from, to }: Part) => ({ segment, from, to, exists: async () => true });
