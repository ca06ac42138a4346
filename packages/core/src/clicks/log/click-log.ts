import { coreEvent } from "../../kernel/events.ts";
import { FrameBuffer } from "./encode.ts";
import { FrameStore } from "./frame-store.ts";
import type { ClickLog, ClickLogOptions } from "./options.ts";
import type { RawClick } from "./raw-click.ts";

/**
 * Opens the click log for one writer. It does not fail when the folder cannot be written to: it starts degraded then,
 * and tries again every `retryMs`.
 */
export const openClickLog = (options: ClickLogOptions): ClickLog => new TurnLog(options);

/** Gathers the clicks of a turn of the event loop, stores them with one write, and answers them then. */
class TurnLog implements ClickLog {
  #turn = new FrameBuffer();
  #answers: (() => void)[] = [];
  #scheduled = false;
  #open = true;
  #appended = 0;
  #lost = 0;
  #closing: Promise<void> | undefined;
  readonly #store: FrameStore;
  readonly #options: ClickLogOptions;

  constructor(options: ClickLogOptions) {
    this.#options = options;
    this.#store = new FrameStore(options);
  }

  append(click: RawClick, done: () => void): void {
    if (this.#open && this.#turn.add(click)) this.#appended += 1;
    else this.#lost += 1;
    this.#answers.push(done);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#endTurn);
  }

  stats() {
    const { writtenBytes, degraded, queued, lost, segment } = this.#store;
    return {
      appended: this.#appended,
      written_bytes: writtenBytes,
      degraded,
      queued: queued + this.#turn.clicks,
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
    this.#endTurn();
    await this.#store.close();
  }

  readonly #endTurn = (): void => {
    this.#scheduled = false;
    const answers = this.#answers;
    this.#answers = [];
    if (this.#turn.clicks > 0) {
      this.#turn.seal();
      this.#store.put(this.#turn.bytes, this.#turn.end);
      this.#turn.clear();
    }
    if (this.#options.fsync === "always") this.#store.sync(() => this.#answer(answers));
    else this.#answer(answers);
  };

  #answer(answers: (() => void)[]): void {
    for (const done of answers) {
      try {
        done();
      } catch (err) {
        this.#options.onEvent?.(coreEvent("click_log_callback_failed", { err }));
      }
    }
  }
}
