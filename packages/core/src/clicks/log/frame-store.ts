import { coreEvent, type CoreEventCode } from "../../kernel/events.ts";
import { Backlog } from "./backlog.ts";
import { newWriter } from "./name.ts";
import type { ClickLogOptions } from "./options.ts";
import { SegmentWriter } from "./segment-writer.ts";

const mebibyte = 1_048_576;
/** Bytes written at once when the disk works again, so that responses can be sent in between. */
const catchUpBytes = 4 * mebibyte;

/** Writes frames to the disk, or keeps them in memory while the disk fails; always in order. */
export class FrameStore {
  /** Clicks that did not fit in memory, or were still there when the store was closed */
  lost = 0;
  #outage: { since: number; lost: number } | undefined;
  #open = true;
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

  /** Writes what it can, seals, syncs and closes. */
  async close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#retry);
    this.#recover(Number.POSITIVE_INFINITY);
    this.#outage = undefined;
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
    this.#retry = setTimeout(() => this.#recover(), this.#options.retryMs ?? 1000).unref();
  }

  /** Writes waiting frames, oldest first. While any wait, new ones queue behind them. */
  #recover(budget = catchUpBytes): void {
    if (!this.#outage) return;
    if (!this.#writer.ready()) return this.#scheduleRetry();
    for (let chunk = this.#backlog.oldest(), spent = 0; chunk; chunk = this.#backlog.oldest()) {
      if (spent >= budget) return void setImmediate(() => this.#recover());
      const { bytes, start, end } = chunk;
      const at = this.#writer.append(bytes, start, end);
      this.#backlog.drop(at);
      if (at < end) return this.#scheduleRetry();
      spent += end - start;
    }
    const { since, lost } = this.#outage;
    this.#outage = undefined;
    if (this.#options.fsync === "always") this.#writer.sync();
    this.#emit("click_log_write_restored", { after_ms: Date.now() - since, lost });
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
