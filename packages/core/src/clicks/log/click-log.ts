import { coreEvent } from "../../kernel/events.ts";
import type { RawClick } from "./format.ts";
import { type ClickLogOptions, FrameStore } from "./frame-store.ts";
import { FrameBuffer } from "./frames.ts";

/**
 * Keeps clicks on the disk until the drain has counted them; one per process. The clicks of one event loop iteration are stored
 * with one write, then their callbacks are called (group commit). If the folder cannot be written to, it starts degraded and
 * retries every `retryMs`.
 */
export class ClickLog {
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

  /**
   * Adds a click to the frame of this event loop iteration. `done` runs once the frame is written (with fsync "always":
   * synced), never before this returns, and also if the disk fails or the log is closed. Never throws.
   */
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

  stats(): ClickLogStats {
    const { degraded, queued, lost, segment } = this.#store;
    return {
      appended: this.#appended,
      fallbacks: this.#fallbacks,
      degraded,
      queued: queued + this.#frames.clicks,
      lost: lost + this.#lost,
      segment,
    };
  }

  /** Writes what is pending, syncs and seals. Later clicks run `done` and count as lost. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
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
    const acknowledge = follower ? () => follower.whenShipped(answer) : answer;
    if (fsync === "always") this.#store.sync(acknowledge);
    else acknowledge();
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

export interface ClickLogStats {
  /** Clicks accepted */
  appended: number;
  /** Visits among them that count as a link's fallback, not as a click */
  fallbacks: number;
  /** Writes or syncs are failing */
  degraded: boolean;
  /** Clicks in memory */
  queued: number;
  /** Clicks that will never reach a file: memory full, log closed, or `link_id` not a UUID */
  lost: number;
  /** Id of the segment being written, null if there is none */
  segment: string | null;
}
