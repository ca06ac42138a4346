import { coreEvent, type CoreEventCode } from "../../kernel/events.ts";
import { Backlog } from "./backlog.ts";
import type { ClickLogOptions } from "./options.ts";
import { SegmentWriter } from "./segment-writer.ts";

const mebibyte = 1_048_576;
/** What is written in one go when the disk is back, so that answers come in between. */
const catchUpBytes = 4 * mebibyte;

/** Puts frames on the disk, or keeps them in memory while the disk refuses; always in order. */
export class FrameStore {
  /** Clicks that found no room in memory, or were there when the store was closed */
  lost = 0;
  #trouble: { since: number; lost: number } | undefined;
  #open = true;
  #retry: NodeJS.Timeout | undefined;
  readonly #timers: NodeJS.Timeout[];
  readonly #backlog: Backlog;
  readonly #writer: SegmentWriter;
  readonly #options: ClickLogOptions;

  constructor(options: ClickLogOptions) {
    const { folder, fsync, intervalMs = 1000, segmentBytes = 8 * mebibyte } = options;
    this.#options = options;
    this.#backlog = new Backlog(options.maxQueuedBytes ?? 64 * mebibyte);
    const onSync = (error: Error | null) => this.#synced(error);
    this.#writer = new SegmentWriter({ folder, durable: fsync !== "off", segmentBytes, onSync });
    this.#timers = [setInterval(() => this.#check(), 1000)];
    if (fsync === "interval") this.#timers.push(setInterval(() => this.#writer.sync(), intervalMs));
    for (const timer of this.#timers) timer.unref();
    if (!this.#writer.ready()) this.#begins();
  }

  get writtenBytes(): number {
    return this.#writer.writtenBytes;
  }
  get segment(): string | null {
    return this.#writer.segment;
  }
  get degraded(): boolean {
    return this.#trouble !== undefined || this.#writer.syncFails;
  }
  /** Clicks in memory */
  get queued(): number {
    return this.#backlog.clicks;
  }

  /** Takes the whole frames in [0, end). What it cannot write it copies. */
  put(bytes: Buffer, end: number): void {
    const at = this.#trouble ? 0 : this.#writer.append(bytes, 0, end);
    if (at === end) return;
    const trouble = this.#begins();
    const refused = this.#backlog.push(bytes, at, end);
    if (refused > 0 && trouble.lost === 0) this.#tell("click_log_memory_full");
    trouble.lost += refused;
    this.lost += refused;
  }

  /** Runs `done` when what was put is durable; at once while the disk refuses. */
  sync(done: () => void): void {
    if (this.#trouble) done();
    else this.#writer.sync(done);
  }

  /** Writes what it can, seals, syncs and lets go of everything. */
  async close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#retry);
    this.#recover(Number.POSITIVE_INFINITY);
    this.#trouble = undefined;
    const lost = this.#backlog.clear();
    this.lost += lost;
    if (lost > 0) this.#tell("click_log_closed_with_loss", { lost });
    await this.#writer.close();
  }

  #begins(): { lost: number } {
    if (!this.#trouble) {
      this.#trouble = { since: Date.now(), lost: 0 };
      const err = this.#writer.failure;
      this.#tell("click_log_write_failing", { err });
      this.#later();
    }
    return this.#trouble;
  }

  #later(): void {
    if (!this.#open) return;
    this.#retry = setTimeout(() => this.#recover(), this.#options.retryMs ?? 1000).unref();
  }

  /** Writes what waits, oldest first. While anything waits, new clicks queue behind it. */
  #recover(budget = catchUpBytes): void {
    if (!this.#trouble) return;
    if (!this.#writer.ready()) return this.#later();
    for (let chunk = this.#backlog.oldest(), spent = 0; chunk; chunk = this.#backlog.oldest()) {
      if (spent >= budget) return void setImmediate(() => this.#recover());
      const { bytes, start, end } = chunk;
      const at = this.#writer.append(bytes, start, end);
      this.#backlog.drop(at);
      if (at < end) return this.#later();
      spent += end - start;
    }
    const { since, lost } = this.#trouble;
    this.#trouble = undefined;
    if (this.#options.fsync === "always") this.#writer.sync();
    this.#tell("click_log_write_restored", { after_ms: Date.now() - since, lost });
  }

  #check(): void {
    if (this.#writer.check()) return;
    this.#tell("click_log_segment_missing");
    if (!this.#trouble && !this.#writer.ready()) this.#begins();
  }

  #synced(err: Error | null): void {
    if (err) this.#tell("click_log_sync_failing", { err });
    else this.#tell("click_log_sync_restored");
  }

  #tell(code: CoreEventCode, details: object = {}): void {
    this.#options.onEvent?.(coreEvent(code, { folder: this.#options.folder, ...details }));
  }
}
