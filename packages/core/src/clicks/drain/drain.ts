import { access } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type ClickLogEvent, cutSegment, listSegments, readSegment, type Segment } from "../log/index.ts";
import { dropPartitionsBefore } from "./partitions.ts";
import type { Batch } from "./prepare.ts";
import { readAhead } from "./read-ahead.ts";
import { retireRest, retireSegment } from "./retire.ts";
import type { ClickStore } from "./store.ts";
import { forgetVisitorsBefore } from "./visitors.ts";

export interface DrainOptions {
  pool: Pool;
  store: ClickStore;
  /** The click log's folder */
  folder: string;
  onEvent: (event: ClickLogEvent) => void;
  clock: () => Date;
  /** Raw clicks are dropped with the month that is this many days past; undefined keeps them */
  retentionDays?: number | undefined;
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

/** Some clicks of a segment, ready to be stored, or why they cannot be read. */
type Part = { segment: Segment } & (
  | { from: number; to: number; end: boolean; torn: number; batch: Batch }
  | { failure: unknown }
);

const retryMs = 1000;

/** Moves the click log into the database, segment by segment, each batch in one transaction with its position. */
export function createDrain(options: DrainOptions): Drain {
  const {
    pool,
    store,
    folder,
    onEvent,
    clock,
    retentionDays,
    batchSize = 50_000,
    intervalMs = 200,
  } = options;
  /** How far each segment is counted, as far as this process knows */
  const positions = new Map<string, number>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let tidied = "";

  async function once(): Promise<number> {
    let counted = 0;
    let failure: unknown;
    /** Segments left alone for the rest of this pass: damaged, or in the hands of another drain */
    const left = new Set<string>();
    await retireRest(pool, folder);
    for await (const part of readAhead(parts())) {
      const { id } = part.segment;
      if (left.has(id)) continue;
      try {
        if ("failure" in part) throw part.failure;
        if (await count(part)) counted += part.batch.clicks.length;
        else left.add(id);
      } catch (error) {
        positions.delete(id);
        if (!isOfSegment(error)) throw error;
        failure ??= error;
        left.add(id);
      }
      if (stopping.signal.aborted) break;
    }
    if (failure !== undefined) throw failure;
    return counted;
  }

  async function* parts(): AsyncGenerator<Part, void> {
    for (const segment of await listSegments(folder)) {
      let from = positions.get(segment.id) ?? (await positionOf(pool, segment.id));
      positions.set(segment.id, from);
      if (from >= segment.bytes && !segment.sealed) continue;
      for (let end = false; !end; ) {
        const part = await read(segment, from);
        yield part;
        if ("failure" in part) break;
        ({ to: from, end } = part);
      }
    }
  }

  async function read(segment: Segment, from: number): Promise<Part> {
    try {
      const { clicks, next: to, end, torn } = await readSegment(segment, from, batchSize);
      return { segment, from, to, end, torn, batch: await store.prepare(clicks) };
    } catch (failure) {
      return { segment, failure };
    }
  }

  /** False where somebody else counts this segment. */
  async function count({ segment, from, to, end, torn, batch }: Exclude<Part, { failure: unknown }>) {
    if (batch.clicks.length > 0) {
      const exists = () => isThere(segment.path);
      if (!(await store.store(batch, { segment: segment.id, from, to, exists }))) {
        positions.delete(segment.id);
        return false;
      }
      positions.set(segment.id, to);
    }
    if (end && segment.sealed) await finish(segment, to, torn);
    return true;
  }

  async function finish(segment: Segment, position: number, torn: number): Promise<void> {
    if (torn > 0) {
      const bytes = await cutSegment(segment, position);
      const message = "cut an unfinished tail off the click log";
      onEvent({ level: "warn", message, segment: segment.id, bytes });
    }
    await retireSegment(pool, segment);
    positions.delete(segment.id);
  }

  /** Hourly, and only when everything is counted: a click of yesterday still in the log needs yesterday's salt. */
  async function tidy(): Promise<void> {
    const now = clock();
    const hour = now.toISOString().slice(0, 13);
    if (hour === tidied || now.getUTCHours() === 0) return;
    await forgetVisitorsBefore(pool, hour.slice(0, 10));
    if (retentionDays !== undefined) {
      const dropped = await dropPartitionsBefore(pool, now.getTime() - retentionDays * 86_400_000);
      if (dropped.length > 0)
        onEvent({ level: "info", message: "dropped raw clicks past their retention", dropped });
    }
    tidied = hour;
  }

  async function run(): Promise<void> {
    let trouble = false;
    while (!stopping.signal.aborted) {
      let pause = intervalMs;
      try {
        if ((await once()) >= batchSize) pause = 0;
        await tidy();
        if (trouble) onEvent({ level: "info", message: "clicks are being counted again" });
        trouble = false;
      } catch (error) {
        pause = retryMs;
        positions.clear();
        if (!trouble) {
          const message = "clicks cannot be counted now; they are kept in the click log";
          onEvent({ level: "error", message, err: error });
        }
        trouble = true;
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    once,
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
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
