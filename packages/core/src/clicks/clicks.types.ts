import type { Check } from "../kernel/meter.ts";
import type { ClickLogStats } from "./log/click-log.ts";
import type { RawClick } from "./log/format.ts";
import type { StreamSettings } from "./stream/click-stream.ts";

/** The uncounted contents of a folder's click log. */
export interface ClickBacklog {
  bytes: number;
  /** Exact up to 16 MiB, beyond that an estimate */
  clicks: number;
  /** When the oldest of them was logged, in milliseconds since the epoch; null if there is none */
  oldest: number | null;
  /** Bytes of the folder's disk that this process may still use; null if the system does not tell */
  free: number | null;
}

/** Where clicks are kept until they are counted in the database. */
export interface ClickLogSettings {
  /** A folder on this machine; each redirecting process writes its own files there */
  folder: string;
  /**
   * When clicks are synced to the disk: "always" before the response, "interval" every second (default), "off" when a
   * file is closed. A killed process loses nothing in any mode; a power failure loses what was not synced.
   */
  fsync?: "always" | "interval" | "off";
  /**
   * Seconds for which counted parts of the log are kept, in case the database loses counts because a lagging replica
   * is promoted or a backup is restored. Default 600; 0: not at all
   */
  keepSeconds?: number;
  /** Raw clicks older than this are dropped, a month at a time; rollups are kept. Default: never */
  retentionDays?: number | undefined;
  /** Keeps clicks outside this machine too, so that any node counts those of a machine that is lost. Default: none */
  stream?: StreamSettings | undefined;
  /** Bytes of the disk that are kept free for clicks in memory when the core closes on a full disk; default 0 */
  reserveBytes?: number | undefined;
  /** False if this process only drains what others write; default true */
  writes?: boolean;
}

export interface Clicks {
  /**
   * For the hot path: `done` runs once the click is in the log (with fsync "always": synced) or, without a log, counted.
   * It also runs if that fails, but never before this returns. Throws only if the core was created with `writes: false`.
   */
  append(click: RawClick, done: () => void): void;
  /**
   * The same as a promise; omitted fields are empty, and the time is now. Without a click log it counts directly into
   * the database, and throws if that is unreachable. A click without a browser's user agent counts as a bot.
   */
  record(click: Partial<RawClick> & { link_id: string }): Promise<void>;
  /** Counts what is in the log now; returns the number of clicks. */
  drain(): Promise<number>;
  /** Counts until the core is closed; retries while the database is unreachable. Call it in one process per folder. */
  startDrain(): void;
  /**
   * Counts all raw clicks again and repairs rollups that differ. Services can keep running: counting waits only for the
   * month that is being checked. Months whose raw clicks were dropped by the retention are left unchanged. Each month is
   * one transaction: after an interruption, repaired months stay repaired.
   */
  rebuild(options?: RebuildOptions): Promise<RebuildReport>;
  /** State of the click log; null without one */
  stats(): ClickLogStats | null;
  /** Whether the click stream accepts this process's clicks; null without one, and if this process writes no clicks */
  stream(): { isUnavailable: boolean; waitingBytes: number } | null;
  /** Whether clicks reach the disk or, without a log, the database at once; false while they wait in memory */
  canKeep(): boolean;
  /**
   * The backlog of this folder's click log, measured now; null without one. While the database does not answer, the
   * last known position is used.
   */
  backlog(): Promise<ClickBacklog | null>;
  /** Bytes of the click log in this folder that are not counted yet; null without one */
  waitingBytes(): Promise<number | null>;
  /** Stops counting after the current batch, and closes the log. What takes longer than `withinMs` milliseconds is cut off. */
  close(withinMs?: number): Promise<void>;
}

export interface RebuildOptions {
  /** Called for each step with the number of finished months and the current one as YYYY-MM; null at the end */
  onProgress?: (progress: { done: number; total: number; month: string | null }) => void;
  /** Stops it between two tables; `rebuild` then throws the signal's reason */
  signal?: AbortSignal;
}

export interface RebuildReport {
  /** Months that were counted again, as YYYY-MM */
  months: string[];
  /** Months whose raw clicks were dropped by the retention: their rollups are kept */
  kept: string[];
  /** Raw clicks that were counted, including bots */
  clicks: number;
  /** Rows that were missing, wrong or should not exist, by table and month; all of them are repaired */
  differences: { month: string | null; table: string; rows: number }[];
  /** The number of those rows */
  repaired: number;
}

/** Where ClickHouse is, and how long it keeps clicks. */
export interface ClickHouseSettings {
  /** http://user:password@host:8123/database, or https */
  url: string;
  /** Clicks older than this are dropped there, a month at a time; default: never */
  retentionDays?: number | undefined;
}

/** The copy of raw clicks in ClickHouse, as its users see it. */
export interface ClickHouseCopy {
  /** Copies what is counted, in the background, until it is closed; retries while ClickHouse or the database is unreachable. */
  start(): void;
  /** Copies what is counted now. Throws if ClickHouse or the database is unreachable. */
  catchUp(): Promise<void>;
  /** Whether the last attempt to reach ClickHouse failed */
  readonly isUnavailable: boolean;
  /** For probes */
  check(): Check;
  /** Stops after the work in progress. */
  close(): Promise<void>;
}
