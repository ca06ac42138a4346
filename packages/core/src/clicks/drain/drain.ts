import { access, stat } from "node:fs/promises";
import type { Pool } from "pg";
import { backgroundLoop } from "../../concurrency/background-loop.ts";
import { coreEvent, type CoreEventCode } from "../../kernel/events.ts";
import { listSegments, readSegment, type Segment, type SegmentPart } from "../log/index.ts";
import type { Batch } from "./prepare/prepare.ts";
import { readAhead } from "./read-ahead.ts";
import { finishDeletions, deleteSegment } from "./maintenance/delete-segment.ts";
import type { ClickStore } from "./store/store.ts";
import { createRetention, type RetentionOptions } from "./maintenance/retention.ts";

export interface DrainOptions extends RetentionOptions {
  store: ClickStore;
  /** The click log's folder */
  folder: string;
  /** Clicks in one transaction, about; default 50,000, as many as a segment has */
  batchSize?: number;
  /** Milliseconds between looks at the log when there was nothing to do; default 200 */
  intervalMs?: number;
}

export interface Drain {
  /**
   * Counts everything that is in the log now; the number of clicks. Throws where the database does not answer, or
   * after all others were counted where a segment cannot be.
   */
  once(): Promise<number>;
  /** Keeps counting until it is stopped; a database that is away is waited for. */
  start(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

/** Some clicks of a segment, ready to be stored. */
interface Part extends Omit<SegmentPart, "clicks"> {
  segment: Segment;
  /** Where it begins */
  from: number;
  batch: Batch;
}

/** A segment that cannot be read, and why. */
interface Unreadable {
  segment: Segment;
  failure: unknown;
}

/** Moves the click log into the database, segment by segment, each batch in one transaction with its position. */
export function createDrain(options: DrainOptions): Drain {
  const { pool, store, folder, onEvent, batchSize = 50_000, intervalMs = 200 } = options;
  const tidy = createRetention(options);
  /** How far each segment is counted, as far as this process knows */
  const positions = new Map<string, number>();

  /** Counts what is in the log now; `failure` says why a segment was left there. Throws where none can be counted. */
  async function pass(): Promise<{ counted: number; failure: unknown }> {
    let counted = 0;
    let failure: unknown;
    /** Segments left alone for the rest of this pass: unreadable, or in the hands of another drain */
    const left = new Set<string>();
    await finishDeletions(pool, folder);
    for await (const part of readAhead(parts())) {
      const { id } = part.segment;
      if (left.has(id)) continue;
      try {
        if ("failure" in part) throw part.failure;
        if (await count(part)) counted += part.batch.clicks.length;
        else left.add(id);
      } catch (error) {
        positions.delete(id);
        if (!isOfSegment(error)) {
          positions.clear();
          throw error;
        }
        failure ??= error;
        left.add(id);
      }
      if (loop.signal.aborted) break;
    }
    return { counted, failure };
  }

  async function* parts(): AsyncGenerator<Part | Unreadable, void> {
    for (const segment of await listSegments(folder)) {
      let from = positions.get(segment.id) ?? (await positionOf(pool, segment.id));
      positions.set(segment.id, from);
      if (from >= segment.bytes && !segment.sealed) continue;
      for (let end = false; !end; ) {
        const part = await read(segment, from);
        yield part;
        if ("failure" in part) break;
        ({ next: from, end } = part);
      }
    }
  }

  async function read(segment: Segment, from: number): Promise<Part | Unreadable> {
    try {
      const { clicks, ...part } = await readSegment(segment, from, batchSize);
      return { segment, from, ...part, batch: await store.prepare(clicks) };
    } catch (failure) {
      return { segment, failure };
    }
  }

  /** False where somebody else counts this segment. */
  async function count({ segment, from, next: to, end, damaged, torn, batch }: Part): Promise<boolean> {
    if (batch.clicks.length > 0) {
      const exists = () => isThere(segment.path);
      if (!(await store.store(batch, { segment: segment.id, from, to, exists }))) {
        positions.delete(segment.id);
        return false;
      }
      positions.set(segment.id, to);
    }
    const tell = (code: CoreEventCode, bytes: number) => {
      if (bytes > 0) onEvent(coreEvent(code, { segment: segment.id, bytes }));
    };
    tell("click_log_damaged", damaged);
    if (end && segment.sealed) {
      tell("click_log_tail_incomplete", torn);
      await deleteSegment(pool, segment);
      positions.delete(segment.id);
    }
    return true;
  }

  const loop = backgroundLoop({
    async runOnce() {
      const { counted, failure } = await pass();
      await tidy();
      if (failure !== undefined) throw failure;
      return counted >= batchSize ? 0 : intervalMs;
    },
    retryMs: 1000,
    async onFailure(err) {
      onEvent(coreEvent("click_counting_failing", { err, ...(await contentsOf(folder)) }));
    },
    onRecovery: () => onEvent(coreEvent("click_counting_restored")),
  });

  return {
    async once() {
      const { counted, failure } = await pass();
      if (failure !== undefined) throw failure;
      return counted;
    },
    start: loop.start,
    stop: loop.stop,
  };
}

/** How many segments are in the log, and when the oldest was last written to. */
async function contentsOf(folder: string): Promise<{ segments?: number; oldest?: string }> {
  try {
    const segments = await listSegments(folder);
    const times = await Promise.all(segments.map(async ({ path }) => (await stat(path)).mtimeMs));
    if (times.length === 0) return { segments: 0 };
    return { segments: times.length, oldest: new Date(Math.min(...times)).toISOString() };
  } catch {
    // The trouble may be the folder itself, which is told of then.
    return {};
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

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * True where the trouble is one file's (it cannot be read, or the database refuses what is in it) and no reason to
 * leave the others uncounted.
 */
function isOfSegment(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall !== undefined) return syscall === "open" || syscall === "read";
  // Errors in data, in constraints, and in the number of rows that a statement may touch.
  return typeof code === "string" && /^2[123]...$/.test(code);
}
