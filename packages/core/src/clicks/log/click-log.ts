import { coreEvent } from "../../kernel/events.ts";
import { FrameBuffer } from "./encode.ts";
import { FrameStore } from "./frame-store.ts";
import type { ClickLog, ClickLogOptions } from "./options.ts";
import type { RawClick } from "./raw-click.ts";

/**
 * Opens the click log for one writer. It does not fail if the folder cannot be written to: it then starts degraded and
 * retries every `retryMs`.
 */
export const openClickLog = (options: ClickLogOptions): ClickLog => new GroupCommitLog(options);

/** Group commit: stores the clicks of one event loop iteration with one write, then calls their callbacks. */
class GroupCommitLog implements ClickLog {
  #frames = new FrameBuffer();
  #callbacks: (() => void)[] = [];
  #scheduled = false;
  #open = true;
  #appended = 0;
  #fallbacks = 0;
  #lost = 0;
  #closing: Promise<void> | undefined;
  readonly #store: FrameStore;
  readonly #options: ClickLogOptions;

  constructor(options: ClickLogOptions) {
    this.#options = options;
    this.#store = new FrameStore(options);
  }

  append(click: RawClick, done: () => void): void {
    if (this.#open && this.#frames.add(click)) {
      this.#appended += 1;
      if (click.counts_as === "fallback") this.#fallbacks += 1;
    } else this.#lost += 1;
    this.#callbacks.push(done);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  stats() {
    const { writtenBytes, degraded, queued, lost, segment } = this.#store;
    return {
      appended: this.#appended,
      fallbacks: this.#fallbacks,
      written_bytes: writtenBytes,
      degraded,
      queued: queued + this.#frames.clicks,
      lost: lost + this.#lost,
      segment,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#open = false;
    this.#flush();
    await this.#store.close();
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    const callbacks = this.#callbacks;
    this.#callbacks = [];
    if (this.#frames.clicks > 0) {
      this.#frames.seal();
      this.#store.put(this.#frames.bytes, this.#frames.end);
      this.#frames.clear();
    }
    const { fsync, follower } = this.#options;
    const answer = () => this.#call(callbacks);
    const settle = follower ? () => follower.settled(answer) : answer;
    if (fsync === "always") this.#store.sync(settle);
    else settle();
  };

  #call(callbacks: (() => void)[]): void {
    for (const done of callbacks) {
      try {
        done();
      } catch (err) {
        this.#options.onEvent?.(coreEvent("click_log_callback_failed", { err }));
      }
    }
  }
}
