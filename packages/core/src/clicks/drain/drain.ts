import { stat } from "node:fs/promises";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { coreEvent } from "../../kernel/events.ts";
import { exists, isLastOfWriter, listSegments } from "../log/segments.ts";
import { releasePermits } from "../permits.ts";
import { createRetention, type RetentionOptions } from "./cleanup/retention.ts";
import { finishDeletions, keepSegments, placeRestored } from "./cleanup/segment-files.ts";
import { storeParts } from "./parts.ts";
import { type BatchPart, readBatches } from "./read-batches.ts";
import { withCurrentBatches } from "./store/required-rows.ts";
import { type ClickStore, isRefused } from "./store/store.ts";

export interface DrainOptions extends RetentionOptions {
  store: ClickStore;
  /** The click log's folder */
  folder: string;
  /** Clicks in a batch, about; default 100,000, as many as a segment has */
  batchSize?: number;
  /** A batch of this many clicks is stored in parts, so that drains seldom wait for each other; default 8,000 */
  splitFrom?: number;
  /** Milliseconds until the next run if there was little to do; default 200 */
  intervalMs?: number;
  /** Milliseconds for which counted segments are kept, see `keepSegments`; default 0 */
  keepMs?: number;
}

/** Milliseconds between two comparisons of what is counted here and in the database. */
const compareMs = 1000;

interface Drain {
  /**
   * Counts everything that is in the log now; returns the number of clicks. Throws if the database is unreachable; if a
   * segment cannot be counted, throws after all others were.
   */
  once(): Promise<number>;
  /** Counts until it is stopped; waits while the database is unreachable. */
  start(): void;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

/** Moves the click log into the database, segment by segment, each batch in one transaction with its position. */
export function createDrain(options: DrainOptions): Drain {
  const {
    pool,
    store,
    folder,
    onEvent,
    batchSize = 100_000,
    splitFrom = 8_000,
    intervalMs = 200,
    keepMs = 0,
  } = options;
  const keeper = keepSegments({ pool, folder, keepMs, onEvent });
  /** When `keeper` was last checked; after a failure it is checked at once */
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isRestoreFinished = false;
  const applyRetention = createRetention(options);
  /** How far each segment is counted, as far as this process knows */
  const positions = new Map<string, number>();

  /** Counts what is in the log now; `failure` is why a segment was skipped. Throws if none can be counted. */
  async function countLogged(): Promise<{ counted: number; failure: unknown }> {
    let counted = 0;
    let failure: unknown;
    /** Segments that are left alone: they cannot be counted, or another drain counts them */
    const skipped = new Set<string>();
    await finishDeletions(pool, folder);
    await finishRestore();
    await compareWithDatabase();
    await withCurrentBatches(async () => {
      for await (const part of readBatches({ pool, store, folder, batchSize, splitFrom, positions })) {
        const { id } = part.segment;
        if (skipped.has(id)) continue;
        try {
          if ("failure" in part) throw part.failure;
          const stored = await count(part);
          counted += stored.clicks;
          if (!stored.complete) skipped.add(id);
        } catch (error) {
          positions.delete(id);
          if (!isOfSegment(error)) {
            positions.clear();
            checkedAt = Number.NEGATIVE_INFINITY;
            throw error;
          }
          failure ??= error;
          skipped.add(id);
        }
        if (loop.signal.aborted) break;
      }
    });
    return { counted, failure };
  }

  /** A database in use is never restored, so once is enough. */
  async function finishRestore(): Promise<void> {
    if (isRestoreFinished) return;
    const segments = await placeRestored(pool, folder);
    isRestoreFinished = true;
    if (segments > 0) onEvent(coreEvent("restore_finished", { segments }));
  }

  /** Checks whether the database has lost counts. */
  async function compareWithDatabase(): Promise<void> {
    const now = performance.now();
    if (now - checkedAt < compareMs) return;
    checkedAt = Number.NEGATIVE_INFINITY;
    await keeper.check((id) => positions.delete(id));
    checkedAt = now;
  }

  /** Stores a part of a segment. It is not complete if another drain counts this segment. */
  async function count(part: BatchPart): Promise<{ clicks: number; complete: boolean }> {
    const { segment, from, next: to, parts } = part;
    const progress = { segment: segment.id, from, to, exists: () => exists(segment.path) };
    keeper.counted(segment.id, from);
    const { clicks, complete } =
      parts === null
        ? { clicks: 0, complete: true }
        : await storeParts(store, parts, progress, segment.writer);
    if (!complete) {
      positions.delete(segment.id);
      store.forget();
      return { clicks, complete };
    }
    const counted = parts === null ? from : to;
    positions.set(segment.id, counted);
    keeper.counted(segment.id, counted);
    reportDamage(part);
    if (part.end && segment.sealed) {
      // A writer begins its next segment before it seals one, so the writer of this one has ended.
      if (segment.newest && (await isLastOfWriter(segment))) await releasePermits(pool, segment.writer);
      await keeper.keep(segment, counted);
      positions.delete(segment.id);
    }
    return { clicks, complete };
  }

  function reportDamage({ segment: { id, sealed }, end, damaged, torn }: BatchPart): void {
    if (damaged > 0) onEvent(coreEvent("click_log_damaged", { segment: id, bytes: damaged }));
    if (end && sealed && torn > 0)
      onEvent(coreEvent("click_log_tail_incomplete", { segment: id, bytes: torn }));
  }

  const loop = backgroundLoop({
    async runOnce() {
      const { counted, failure } = await countLogged();
      await applyRetention();
      if (failure !== undefined) throw failure;
      return counted >= batchSize ? 0 : intervalMs;
    },
    retryMs: 1000,
    keepsProcessAlive: true,
    async onFailure(err) {
      onEvent(coreEvent("click_counting_failing", { err, ...(await contentsOf(folder)) }));
    },
    onRecovery: () => onEvent(coreEvent("click_counting_restored")),
  });

  return {
    async once() {
      checkedAt = Number.NEGATIVE_INFINITY;
      const { counted, failure } = await countLogged();
      if (failure !== undefined) throw failure;
      return counted;
    },
    start: loop.start,
    stop: loop.stop,
  };
}

/** The number of segments in the log, and when the oldest was last written to. */
async function contentsOf(folder: string): Promise<{ segments?: number; oldest?: string }> {
  try {
    const segments = await listSegments(folder);
    const times = await Promise.all(segments.map(async ({ path }) => (await stat(path)).mtimeMs));
    if (times.length === 0) return { segments: 0 };
    return { segments: times.length, oldest: new Date(Math.min(...times)).toISOString() };
  } catch {
    // The failure that is being reported may be the folder's.
    return {};
  }
}

/** Whether the error concerns one segment only: its file cannot be read, or its contents are refused. */
function isOfSegment(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  return syscall === undefined ? isRefused(error) : syscall === "open" || syscall === "read";
}
