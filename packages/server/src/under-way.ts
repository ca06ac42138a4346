import { setTimeout as sleep } from "node:timers/promises";

/** The answers that an app works on, also those whose clients have left. */
export class UnderWay {
  #count = 0;
  #onNone = () => {};

  /** To be called when an answer begins; call what it returns once it has ended. */
  begin(): () => void {
    this.#count++;
    return () => {
      this.#count--;
      if (this.#count === 0) this.#onNone();
    };
  }

  /** Resolves once none is under way, or after `ms`. */
  async none(ms: number): Promise<void> {
    if (this.#count === 0 || ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNone = resolve;
    const late = new AbortController();
    await Promise.race([promise, sleep(ms, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }
}
