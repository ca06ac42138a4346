import { setTimeout as sleep } from "node:timers/promises";

/** How long an answer of the stream may take. With "sync", visitors wait for it. */
export const answerMs = 1000;

/** Opens a connection on use, and another one after a failure, since the first one may lead to a server that is gone. */
export class Connection<T> {
  #current: Promise<T> | undefined;
  readonly #open: () => Promise<T>;
  readonly #close: (connection: T) => unknown;

  constructor(open: () => Promise<T>, close: (connection: T) => unknown) {
    this.#open = open;
    this.#close = close;
  }

  /** Rejects if the connection cannot be opened, if the work fails, or after `ms` milliseconds. */
  async use<R>(work: (connection: T) => Promise<R>, ms = answerMs): Promise<R> {
    const current = (this.#current ??= this.#open());
    const limit = new AbortController();
    try {
      const tooLate = sleep(ms, undefined, { signal: limit.signal, ref: false }).then(() => {
        throw Object.assign(new Error(`The click stream has not answered for ${ms} ms`), {
          code: "ETIMEDOUT",
        });
      });
      return await Promise.race([current.then(work), tooLate]);
    } catch (error) {
      if (this.#current === current) await this.close();
      throw error;
    } finally {
      limit.abort();
    }
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    // It may still be opening; then it is closed later.
    current?.then(this.#close).catch(() => {});
  }
}
