import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { mkdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitAtMost } from "../../kernel/async/waiting.ts";
import { coreEvent, type CoreEvent, type CoreEventCode } from "../../kernel/events.ts";
import { FrameQueue } from "./frame-queue.ts";
import { newWriter } from "./segment-name.ts";
import { SegmentWriter } from "./segment-writer.ts";

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
  /** A new segment begins when the oldest click in it is this old, in milliseconds; default a minute */
  segmentMs?: number;
  /** Memory for clicks while the disk fails; default 64 MiB. When it is full, the newest clicks are lost */
  maxQueuedBytes?: number;
  /** Milliseconds between retries while the disk fails; default 1000 */
  retryMs?: number;
  /** Bytes of the disk that are kept free for clicks in memory when the log is closed on a full disk; default 0 */
  reserveBytes?: number | undefined;
  /** Counts clicks that the disk refuses; without it, they wait in memory until the disk accepts them */
  countDirectly?: CountDirectly | undefined;
  /** Sends written frames to another place too */
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
  whenShipped(done: () => void): void;
}

const mebibyte = 1_048_576;
/** Bytes written at once when the disk works again, so that responses can be sent in between. */
const catchUpBytes = 4 * mebibyte;
/** Milliseconds between checks that there is a reserve */
const reserveMs = 60_000;
/** Milliseconds that counting directly may take when the store is closed: less than a core gets to close */
const countAtCloseMs = 5000;

/**
 * Writes frames to the disk. While the disk fails, it has them counted directly, or keeps them in memory if that fails too;
 * always in order.
 */
export class FrameStore {
  /** Clicks that did not fit in memory, or were still there when the store was closed */
  lost = 0;
  #outage: { since: number; lost: number } | undefined;
  #open = true;
  /** The oldest frames in memory, up to `end`: whether they are counted directly as those of the segment `id` is not known */
  #pending: { id: string; end: number } | undefined;
  #counting: Promise<void> | undefined;
  /** Frames of this outage were counted directly, so an empty memory does not mean that the disk works again */
  #hasCounted = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[];
  readonly #queue: FrameQueue;
  readonly #writer: SegmentWriter;
  readonly #options: ClickLogOptions;

  constructor(options: ClickLogOptions) {
    const { folder, fsync, intervalMs = 1000, segmentBytes = 16 * mebibyte, segmentMs = 60_000 } = options;
    const { writer = newWriter() } = options;
    this.#options = options;
    this.#queue = new FrameQueue(options.maxQueuedBytes ?? 64 * mebibyte);
    const { follower } = options;
    this.#writer = new SegmentWriter({
      folder,
      writer,
      durable: fsync !== "off",
      segmentBytes,
      segmentMs,
      onSync: (error) => this.#synced(error),
      onWrite: follower && ((segment, end) => follower.wrote(segment, end)),
    });
    this.#timers = [setInterval(() => this.#check(), 1000)];
    if (fsync === "interval") this.#timers.push(setInterval(() => this.#writer.sync(), intervalMs));
    const { reserveBytes = 0 } = options;
    if (reserveBytes > 0) {
      const ensure = () => void (this.#outage || ensureReserve(folder, reserveBytes));
      this.#timers.push(setInterval(ensure, reserveMs));
      ensure();
    }
    for (const timer of this.#timers) timer.unref();
    if (!this.#writer.ready()) this.#beginOutage();
  }

  get segment(): string | null {
    return this.#writer.segment;
  }
  get degraded(): boolean {
    return this.#outage !== undefined || this.#writer.syncFails;
  }
  /** Clicks in memory */
  get queued(): number {
    return this.#queue.clicks;
  }

  /** Stores the whole frames in [0, end). It copies those that it cannot write. */
  put(bytes: Buffer, end: number): void {
    const at = this.#outage ? 0 : this.#writer.append(bytes, 0, end);
    if (at === end) return;
    const outage = this.#beginOutage();
    const rejected = this.#queue.push(bytes, at, end);
    if (rejected > 0 && outage.lost === 0) this.#emit("click_log_memory_full");
    outage.lost += rejected;
    this.lost += rejected;
  }

  /** Calls `done` when all frames are synced; at once while the disk fails. */
  sync(done: () => void): void {
    if (this.#outage) done();
    else this.#writer.sync(done);
  }

  /** Writes what it can, finally into the reserve, has the rest counted directly, seals, syncs and closes. */
  async close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#retry);
    const all = Number.POSITIVE_INFINITY;
    this.#recover(all);
    if (this.queued > 0 && releaseReserve(this.#options.folder)) this.#recover(all);
    const counting = Promise.resolve(this.#counting).then(() => this.#countDirectly());
    if (this.queued > 0) await waitAtMost(countAtCloseMs, counting);
    this.#outage = this.#pending = undefined;
    const lost = this.#queue.clear();
    this.lost += lost;
    if (lost > 0) this.#emit("click_log_closed_with_loss", { lost });
    await this.#writer.close();
  }

  #beginOutage(): { lost: number } {
    if (!this.#outage) {
      this.#outage = { since: Date.now(), lost: 0 };
      const err = this.#writer.failure;
      this.#emit("click_log_write_failing", { err });
      this.#scheduleRetry();
    }
    return this.#outage;
  }

  #scheduleRetry(): void {
    if (!this.#open) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#recover(), this.#options.retryMs ?? 1000).unref();
  }

  /** Writes waiting frames, oldest first. While any wait, new ones queue behind them. */
  #recover(budget = catchUpBytes): void {
    if (!this.#outage) return;
    if (!this.#writePending() || !this.#writer.ready()) return this.#wait();
    for (let chunk = this.#queue.oldest(), spent = 0; chunk; chunk = this.#queue.oldest()) {
      if (spent >= budget) return void setImmediate(() => this.#recover());
      const { bytes, start, end } = chunk;
      const at = this.#writer.append(bytes, start, end);
      this.#queue.drop(at);
      this.#hasCounted = false;
      if (at < end) return this.#wait();
      spent += end - start;
    }
    if (this.#hasCounted && !this.#writer.hasRoom()) return this.#wait();
    const { since, lost } = this.#outage;
    this.#outage = undefined;
    this.#hasCounted = false;
    if (this.#options.fsync === "always") this.#writer.sync();
    this.#emit("click_log_write_restored", { after_ms: Date.now() - since, lost });
  }

  /** Writes possibly counted frames under the name that tells the drain whether they are. */
  #writePending(): boolean {
    const pending = this.#pending;
    const chunk = this.#queue.oldest();
    if (!pending || !chunk) return true;
    if (!this.#writer.writeWhole(pending.id, chunk.bytes, chunk.start, pending.end)) return false;
    this.#pending = undefined;
    this.#queue.drop(pending.end);
    return true;
  }

  #wait(): void {
    this.#scheduleRetry();
    if (this.#open) void this.#countDirectly();
  }

  /** Has the frames in memory counted, until that fails or none is left. */
  #countDirectly(): Promise<void> {
    return (this.#counting ??= this.#countOldest().finally(() => (this.#counting = undefined)));
  }

  async #countOldest(): Promise<void> {
    const { countDirectly } = this.#options;
    if (!countDirectly) return;
    for (let chunk = this.#queue.oldest(); chunk; chunk = this.#queue.oldest()) {
      const pending = (this.#pending ??= { id: this.#writer.reserveId(), end: chunk.end });
      const forget = await countDirectly(pending.id, chunk.bytes.subarray(chunk.start, pending.end)).catch(
        () => {},
      );
      // They may be in a file by now.
      if (!forget || this.#pending !== pending) return;
      this.#pending = undefined;
      this.#queue.drop(pending.end);
      this.#hasCounted = true;
      await forget().catch(() => {});
    }
  }

  #check(): void {
    if (this.#writer.check()) return;
    this.#emit("click_log_segment_missing");
    if (!this.#outage && !this.#writer.ready()) this.#beginOutage();
  }

  #synced(err: Error | null): void {
    if (err) this.#emit("click_log_sync_failing", { err });
    else this.#emit("click_log_sync_restored");
  }

  #emit(code: CoreEventCode, details: object = {}): void {
    this.#options.onEvent?.(coreEvent(code, { folder: this.#options.folder, ...details }));
  }
}

const pathIn = (folder: string) => join(folder, "reserve");
/** The reserve never takes more than this share of the free space. */
const maxShare = 0.1;

/**
 * Makes sure that a file in the click log's folder holds `bytes` of the disk, for what is in memory when the process stops on
 * a full disk. All processes of a folder share it. Without room, or if the disk fails, there is no reserve.
 */
export async function ensureReserve(folder: string, bytes: number): Promise<void> {
  const path = pathIn(folder);
  const part = `${path}.${process.pid}`;
  try {
    if (await stat(path).catch(() => undefined)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize * maxShare < bytes) return;
    await writeFile(part, randomPieces(bytes), { mode: 0o600 });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => {});
  }
}

/** A file system that compresses would keep nothing free for zeros. */
function* randomPieces(bytes: number) {
  for (let left = bytes; left > 0; left -= mebibyte) yield randomBytes(Math.min(mebibyte, left));
}

/** Frees the space that the reserve holds. Returns false if there was none. */
export function releaseReserve(folder: string): boolean {
  try {
    unlinkSync(pathIn(folder));
    return true;
  } catch {
    return false;
  }
}
