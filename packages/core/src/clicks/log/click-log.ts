import { Backlog } from "./backlog.ts";
import { FrameBuffer } from "./encode.ts";
import type { ClickLog, ClickLogOptions } from "./options.ts";
import type { RawClick } from "./raw-click.ts";
import { SegmentWriter } from "./segment-writer.ts";

const mebibyte = 1_048_576;
/** What is written in one go when the disk is back, so that answers come in between. */
const catchUpBytes = 4 * mebibyte;

/**
 * Opens the click log for one writer. It does not fail when the folder cannot be written to: it starts degraded then,
 * and tries again every `retryMs`.
 */
export async function openClickLog(options: ClickLogOptions): Promise<ClickLog> {
  return new DurableClickLog(options);
}

class DurableClickLog implements ClickLog {
  #turn = new FrameBuffer();
  #answers: (() => void)[] = [];
  #scheduled = false;
  #appended = 0;
  #lost = 0;
  #trouble: { since: number; lost: number } | undefined;
  #open = true;
  #closing: Promise<void> | undefined;
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

  append(click: RawClick, done: () => void): void {
    if (!this.#open || !this.#turn.add(click)) this.#lost += 1;
    else this.#appended += 1;
    this.#answers.push(done);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  stats() {
    return {
      appended: this.#appended,
      written_bytes: this.#writer.writtenBytes,
      degraded: this.#trouble !== undefined || this.#writer.syncFails,
      queued: this.#backlog.clicks + this.#turn.clicks,
      lost: this.#lost,
      segment: this.#writer.segment,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    const turn = this.#turn;
    const answers = this.#answers;
    this.#answers = [];
    if (turn.clicks > 0) {
      turn.seal();
      const at = this.#trouble ? 0 : this.#writer.append(turn.bytes, 0, turn.end);
      if (at < turn.end) this.#keep(turn.bytes, at, turn.end);
      turn.clear();
    }
    if (this.#options.fsync === "always" && !this.#trouble) this.#writer.sync(() => this.#answer(answers));
    else this.#answer(answers);
  };

  #answer(answers: (() => void)[]): void {
    for (const done of answers) {
      try {
        done();
      } catch (error) {
        this.#tell("error", "An answer failed after its click was logged", { error });
      }
    }
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const trouble = this.#begins();
    const refused = this.#backlog.push(bytes, start, end);
    this.#lost += refused;
    if (refused > 0 && trouble.lost === 0)
      this.#tell("error", "The click log's memory is full: clicks are being lost");
    trouble.lost += refused;
  }

  #begins(): { lost: number } {
    if (!this.#trouble) {
      this.#trouble = { since: Date.now(), lost: 0 };
      const error = this.#writer.failure;
      this.#tell("error", "The click log cannot write: clicks are kept in memory", { error });
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
    this.#tell("info", "The click log writes again", { after_ms: Date.now() - since, lost });
  }

  #check(): void {
    if (this.#writer.check()) return;
    this.#tell("warn", "A segment of the click log was deleted or cut while it was written to");
    if (!this.#trouble && !this.#writer.ready()) this.#begins();
  }

  #synced(error: Error | null): void {
    if (error) this.#tell("error", "The click log cannot sync: a power cut would lose clicks", { error });
    else this.#tell("info", "The click log syncs again");
  }

  async #close(): Promise<void> {
    this.#open = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#retry);
    this.#flush();
    this.#recover(Number.POSITIVE_INFINITY);
    this.#trouble = undefined;
    const left = this.#backlog.clicks;
    this.#lost += left;
    if (left > 0)
      this.#tell("error", "The click log was closed while the disk refused: clicks are lost", { lost: left });
    await this.#writer.close();
  }

  #tell(level: "warn" | "error" | "info", message: string, more: object = {}): void {
    this.#options.onEvent?.({ level, message, folder: this.#options.folder, ...more });
  }
}
