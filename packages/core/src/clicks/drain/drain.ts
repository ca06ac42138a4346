import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { CoreEvent } from "../../types.ts";
import { dropPartitionsBefore } from "./partitions.ts";
import { forgetVisitorsBefore } from "./visitors.ts";
import { cutSegment, listSegments, readSegment, removeSegment, type Segment } from "../log/index.ts";
import type { ClickStore } from "./store.ts";

export interface DrainOptions {
  pool: Pool;
  store: ClickStore;
  /** The click log's folder */
  folder: string;
  onEvent: (event: CoreEvent) => void;
  clock: () => Date;
  /** Raw clicks are dropped with the month that is this many days past; undefined keeps them */
  retentionDays?: number | undefined;
  /** Clicks in one transaction, about; default 10,000 */
  batch?: number;
  /** Milliseconds between looks at the log when there was nothing to do; default 200 */
  intervalMs?: number;
}

export interface Drain {
  /** Counts everything that is in the log now; the number of clicks. Throws where the database does not answer. */
  once(): Promise<number>;
  /** Keeps counting until it is stopped; a database that is away is waited for. */
  start(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

const retryMs = 1000;

/** Moves the click log into the database, segment by segment, each batch in one transaction with its position. */
export function createDrain(options: DrainOptions): Drain {
  const { pool, store, folder, onEvent, clock, retentionDays, batch = 10_000, intervalMs = 200 } = options;
  const positions = new Map<string, number>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let tidied = "";

  async function drainSegment(segment: Segment): Promise<number> {
    let position = positions.get(segment.id) ?? (await positionOf(pool, segment.id));
    let counted = 0;
    let ahead = read(segment, position);
    for (;;) {
      const part = await ahead;
      if (part.clicks.length > 0) {
        // The next batch is read and derived while the database works on this one.
        ahead = read(segment, part.next);
        ahead.catch(() => {});
        if (!(await store.store(part.clicks, { segment: segment.id, from: position, to: part.next }))) {
          positions.delete(segment.id);
          return counted;
        }
        counted += part.clicks.length;
        position = part.next;
        positions.set(segment.id, position);
      }
      if (part.end || stopping.signal.aborted) {
        if (part.end && segment.sealed) await finish(segment, position, part.torn);
        return counted;
      }
      if (part.clicks.length === 0) return counted;
    }
  }

  async function read(segment: Segment, position: number) {
    const part = await readSegment(segment, position, batch);
    return { ...part, clicks: store.derive(part.clicks) };
  }

  async function finish(segment: Segment, position: number, torn: number): Promise<void> {
    if (torn > 0) {
      const cut = await cutSegment(segment, position);
      onEvent({
        level: "warn",
        message: "cut an unfinished tail off the click log",
        segment: segment.id,
        bytes: cut,
      });
    }
    await removeSegment(segment);
    await pool.query("delete from click_segments where id = $1", [segment.id]);
    positions.delete(segment.id);
  }

  async function once(): Promise<number> {
    let counted = 0;
    for (const segment of await listSegments(folder)) {
      const known = positions.get(segment.id);
      if (known !== undefined && known >= segment.bytes && !segment.sealed) continue;
      counted += await drainSegment(segment);
      if (stopping.signal.aborted) break;
    }
    return counted;
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
        if ((await once()) >= batch) pause = 0;
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
  const { rows } = await pool.query<{ position: string }>(
    "select position from click_segments where id = $1",
    [segment],
  );
  return Number(rows[0]?.position ?? 0);
}
