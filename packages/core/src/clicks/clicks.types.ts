import type { RebuildOptions, RebuildReport } from "./drain/rollups/rebuild-report.ts";
import type { ClickLogStats, RawClick } from "./log/index.ts";

/** Where followed links are kept until they are in the database. */
export interface ClickLogSettings {
  /** A folder of this machine; each process that redirects writes files of its own in it */
  folder: string;
  /**
   * When the disk is told to make clicks durable: "always" before their answers, "interval" every second (default), "off"
   * when a file is closed. In all three a killed process loses nothing; a power cut loses what was not durable.
   */
  fsync?: "always" | "interval" | "off";
  /** Raw clicks older than this are dropped, a month at a time; rollups stay. Default: never */
  retentionDays?: number | undefined;
  /** False where this process only drains what others write; default true */
  writes?: boolean;
}

export interface Clicks {
  /**
   * The hot path: `done` runs once the click is in the log (with fsync "always": durable) or, without a log, counted; never
   * before this returns, and also where that fails. Throws only where the core was made with `writes: false`.
   */
  append(click: RawClick, done: () => void): void;
  /**
   * The same as a promise, with now and nothing for what is left out. Without a click log it counts straight into the
   * database, and throws where that is away. A click without a browser's user agent is a bot's.
   */
  record(click: Partial<RawClick> & { link_id: string }): Promise<void>;
  /** Counts what is in the log now; answers how many clicks that were. */
  drain(): Promise<number>;
  /** Keeps counting until the core is closed, whether the database is there or not. One process a folder does it. */
  startDrain(): void;
  /**
   * Counts all raw clicks anew and repairs rollups that say otherwise, beside running services: counting waits for the
   * month that is looked at. Months whose raw clicks a retention dropped are kept as they are. Each month is a
   * transaction: after an interruption, what was repaired stays repaired.
   */
  rebuild(options?: RebuildOptions): Promise<RebuildReport>;
  /** How the log is doing; null without one */
  stats(): ClickLogStats | null;
  close(): Promise<void>;
}
