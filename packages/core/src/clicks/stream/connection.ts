import { setTimeout as sleep } from "node:timers/promises";

/** How long an answer of the stream may take. With "sync", visitors wait for it. */
export const answerTimeoutMs = 1000;

/** Opens a connection on use, and another one after a failure, since the first one may lead to a server that is gone. */
export class Connection<T> {
  #current: Promise<T> | undefined;
  readonly #open: () => Promise<T>;
  readonly #close: (connection: T) => unknown;

  constructor(open: () => Promise<T>, close: (connection: T) => unknown) {
    this.#open = open;
    this.#close = close;
  }

  /** Rejects if the connection cannot be opened, if `work` fails, or after `ms` milliseconds, and gives the connection up. */
  async use<R>(work: (connection: T) => Promise<R>, ms = answerTimeoutMs): Promise<R> {
    const current = (this.#current ??= this.#open());
    const timer = new AbortController();
    try {
      const timeout = sleep(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
        throw Object.assign(new Error(`The click stream has not answered for ${ms} ms`), {
          code: "ETIMEDOUT",
        });
      });
      return await Promise.race([current.then(work), timeout]);
    } catch (error) {
      if (this.#current === current) await this.close();
      throw error;
    } finally {
      timer.abort();
    }
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    // It may still be opening; then it is closed later.
    current?.then(this.#close).catch(() => {});
  }
}
