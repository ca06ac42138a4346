import { coreEvent, type CoreEventCode } from "../../kernel/events.ts";
import { waitAtMost } from "../../kernel/wait-at-most.ts";
import { Backlog } from "./backlog.ts";
import { newWriter } from "./name.ts";
import type { ClickLogOptions } from "./options.ts";
import { ensureReserve, releaseReserve } from "./reserve.ts";
import { SegmentWriter } from "./segment-writer.ts";

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
  /** Frames of this outage were counted directly, so that an empty memory does not show that the disk works again */
  #hasCounted = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[];
  readonly #backlog: Backlog;
  readonly #writer: SegmentWriter;
  readonly #options: ClickLogOptions;

  constructor(options: ClickLogOptions) {
    const { folder, fsync, intervalMs = 1000, segmentBytes = 16 * mebibyte, segmentMs = 60_000 } = options;
    const { writer = newWriter() } = options;
    this.#options = options;
    this.#backlog = new Backlog(options.maxQueuedBytes ?? 64 * mebibyte);
    const onSync = (error: Error | null) => this.#synced(error);
    const { follower } = options;
    this.#writer = new SegmentWriter({
      folder,
      writer,
      durable: fsync !== "off",
      segmentBytes,
      segmentMs,
      onSync,
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

  get writtenBytes(): number {
    return this.#writer.writtenBytes;
  }
  get segment(): string | null {
    return this.#writer.segment;
  }
  get degraded(): boolean {
    return this.#outage !== undefined || this.#writer.syncFails;
  }
  /** Clicks in memory */
  get queued(): number {
    return this.#backlog.clicks;
  }

  /** Stores the whole frames in [0, end). It copies those that it cannot write. */
  put(bytes: Buffer, end: number): void {
    const at = this.#outage ? 0 : this.#writer.append(bytes, 0, end);
    if (at === end) return;
    const outage = this.#beginOutage();
    const rejected = this.#backlog.push(bytes, at, end);
    if (rejected > 0 && outage.lost === 0) this.#emit("click_log_memory_full");
    outage.lost += rejected;
    this.lost += rejected;
  }

  /** Calls `done` when all frames are synced; at once while the disk fails. */
  sync(done: () => void): void {
    if (this.#outage) done();
    else this.#writer.sync(done);
  }

  /** Writes what it can, at last into the reserve, has the rest counted directly, seals, syncs and closes. */
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
    const lost = this.#backlog.clear();
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
    for (let chunk = this.#backlog.oldest(), spent = 0; chunk; chunk = this.#backlog.oldest()) {
      if (spent >= budget) return void setImmediate(() => this.#recover());
      const { bytes, start, end } = chunk;
      const at = this.#writer.append(bytes, start, end);
      this.#backlog.drop(at);
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

  /** Writes frames that may be counted already under the name that shows the drain whether they are. */
  #writePending(): boolean {
    const pending = this.#pending;
    const chunk = this.#backlog.oldest();
    if (!pending || !chunk) return true;
    if (!this.#writer.writeWhole(pending.id, chunk.bytes, chunk.start, pending.end)) return false;
    this.#pending = undefined;
    this.#backlog.drop(pending.end);
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
    for (let chunk = this.#backlog.oldest(); chunk; chunk = this.#backlog.oldest()) {
      const pending = (this.#pending ??= { id: this.#writer.reserveId(), end: chunk.end });
      const forget = await countDirectly(pending.id, chunk.bytes.subarray(chunk.start, pending.end)).catch(
        () => {},
      );
      // They may be in a file since.
      if (!forget || this.#pending !== pending) return;
      this.#pending = undefined;
      this.#backlog.drop(pending.end);
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
