import type { CoreEvent } from "../../kernel/events.ts";
import type { RawClick } from "./raw-click.ts";

export interface ClickLogOptions {
  /** Where the segments lie; made when missing, readable for its owner only */
  folder: string;
  /**
   * When the disk is told to make clicks durable: before their answers, every `intervalMs`, or when a log is closed.
   * In all three a killed process loses nothing; a power cut loses nothing, one interval, or what the system held back.
   */
  fsync: "always" | "interval" | "off";
  /** Default 1000 */
  intervalMs?: number;
  /** A new segment begins past this; default 8 MiB */
  segmentBytes?: number;
  /** Memory for clicks while the disk refuses; default 64 MiB. When it is full the newest clicks are lost */
  maxQueuedBytes?: number;
  /** How often a refusing disk is tried again; default 1000 */
  retryMs?: number;
  /** Hears of trouble when it begins and when it ends, not for each click */
  onEvent?: (event: CoreEvent) => void;
}

export interface ClickLogStats {
  /** Clicks taken in */
  appended: number;
  /** Bytes of whole frames that reached a file */
  written_bytes: number;
  /** The disk refuses writes or syncs now */
  degraded: boolean;
  /** Clicks in memory */
  queued: number;
  /** Clicks that reached no file and never will: memory full, log closed, or no UUID in `link_id` */
  lost: number;
  /** The id of the segment being written, null while there is none */
  segment: string | null;
}

/** Keeps clicks on the disk until the drain has them in the database. One per process. */
export interface ClickLog {
  /**
   * Puts a click into the frame of this turn of the event loop. `done` runs once the frame is written (with fsync
   * "always": synced), never before this returns, and also when the disk refuses or the log is closed. Never throws.
   */
  append(click: RawClick, done: () => void): void;
  stats(): ClickLogStats;
  /** Writes what is pending, syncs and seals. Clicks that come later are answered and count as lost. Idempotent. */
  close(): Promise<void>;
}
