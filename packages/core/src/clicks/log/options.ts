import type { CoreEvent } from "../../kernel/events.ts";
import type { RawClick } from "./raw-click.ts";

export interface ClickLogOptions {
  /** Folder of the segments; created if missing, readable by its owner only */
  folder: string;
  /** From `newWriter`, which makes one if it is missing */
  writer?: string;
  /**
   * When clicks are synced to the disk: before the response, every `intervalMs`, or when the log is closed. A killed
   * process loses nothing in any mode; a power failure loses nothing, one interval, or what the system had not written.
   */
  fsync: "always" | "interval" | "off";
  /** Default 1000 */
  intervalMs?: number;
  /** A new segment begins at this size; default 16 MiB */
  segmentBytes?: number;
  /** A new segment begins when the oldest click in it is that old, in milliseconds; default a minute */
  segmentMs?: number;
  /** Memory for clicks while the disk fails; default 64 MiB. When it is full, the newest clicks are lost */
  maxQueuedBytes?: number;
  /** Milliseconds between retries while the disk fails; default 1000 */
  retryMs?: number;
  /** Bytes of the disk that are kept free for clicks in memory when the log is closed on a full disk; default 0 */
  reserveBytes?: number | undefined;
  /** Counts clicks that the disk refuses; without it, they wait in memory until the disk takes them */
  countDirectly?: CountDirectly | undefined;
  /** Sends what was written to another place too */
  follower?: Follower | undefined;
  /** Called when a failure begins and when it ends, not for each click */
  onEvent?: (event: CoreEvent) => void;
}

/**
 * Counts whole frames as if they were the first ones of `segment`, a segment without a file: repeated with the same segment, it
 * counts them once. Returns the function that forgets the segment, to be called when its frames are nowhere else.
 */
export type CountDirectly = (segment: string, frames: Buffer) => Promise<() => Promise<void>>;

/** Follows what is written to the log. */
export interface Follower {
  /** Whole frames were written to a segment, up to the byte offset `end`. */
  wrote(segment: string, end: number): void;
  /** Calls `done` when visitors may be answered for what was written. */
  settled(done: () => void): void;
}

export interface ClickLogStats {
  /** Clicks accepted */
  appended: number;
  /** Visits among them that count as a link's fallback, not as a click */
  fallbacks: number;
  /** Bytes of whole frames written to files */
  written_bytes: number;
  /** Writes or syncs fail at present */
  degraded: boolean;
  /** Clicks in memory */
  queued: number;
  /** Clicks that will never reach a file: memory full, log closed, or no UUID in `link_id` */
  lost: number;
  /** Id of the segment being written, null if there is none */
  segment: string | null;
}

/** Keeps clicks on the disk until the drain has counted them. One per process. */
export interface ClickLog {
  /**
   * Adds a click to the frame of this event loop iteration. `done` runs once the frame is written (with fsync "always":
   * synced), never before this returns, and also if the disk fails or the log is closed. Never throws.
   */
  append(click: RawClick, done: () => void): void;
  stats(): ClickLogStats;
  /** Writes what is pending, syncs and seals. Later clicks run `done` and count as lost. Idempotent. */
  close(): Promise<void>;
}
