import type { Pool } from "pg";
import { AppError } from "../kernel/errors.ts";

/**
 * Limits work that may hold a pool's connections for long: to `share` of the connections, and `accountShare` (half) of
 * those for one account, so that connections remain for other accounts and other requests.
 */
export function limiterPerPool(
  work: string,
  share: number,
  accountShare?: number,
): (pool: Pool) => ConcurrencyLimiter {
  const known = new WeakMap<Pool, ConcurrencyLimiter>();
  return (pool) => {
    const limiter =
      known.get(pool) ??
      new ConcurrencyLimiter(work, Math.max(1, Math.floor(pool.options.max * share)), accountShare);
    known.set(pool, limiter);
    return limiter;
  };
}

interface Waiting {
  accountId: string;
  go: () => void;
}

/** First come, first served, except for accounts that have used their share. */
export class ConcurrencyLimiter {
  readonly #work: string;
  #free: number;
  readonly #maxPerAccount: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(work: string, max: number, accountShare = 1 / 2) {
    this.#work = work;
    this.#free = max;
    this.#maxPerAccount = Math.max(1, Math.floor(max * accountShare));
  }

  /** Runs the work in a slot; 503 if no slot frees in time. */
  async run<T>(accountId: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(accountId, timeoutMs);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a slot and returns the function that releases it; 503 if no slot frees in time. */
  async acquire(accountId: string, timeoutMs: number): Promise<() => void> {
    if (this.#isFreeFor(accountId)) this.#begin(accountId);
    else await this.#wait(accountId, timeoutMs);
    return () => this.#end(accountId);
  }

  #heldBy(accountId: string): number {
    return this.#held.get(accountId) ?? 0;
  }

  #isFreeFor(accountId: string): boolean {
    return this.#free > 0 && this.#heldBy(accountId) < this.#maxPerAccount;
  }

  #begin(accountId: string): void {
    this.#free -= 1;
    this.#held.set(accountId, this.#heldBy(accountId) + 1);
  }

  #end(accountId: string): void {
    this.#free += 1;
    const held = this.#heldBy(accountId) - 1;
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
    for (const waiting of this.#waiting) if (this.#isFreeFor(waiting.accountId)) waiting.go();
  }

  #wait(accountId: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        accountId,
        go: () => {
          clearTimeout(timeout);
          this.#waiting.delete(waiting);
          this.#begin(accountId);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        this.#waiting.delete(waiting);
        const message = `Too many ${this.#work} are under way; try again shortly`;
        reject(new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 }));
      }, timeoutMs);
      this.#waiting.add(waiting);
    });
  }
}
