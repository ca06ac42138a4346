import type { Pool } from "pg";
import { AppError } from "../errors.ts";

/**
 * Limits work that may hold a pool's connections for long: to `share` of the connections, and `accountShare` (half) of
 * those for one account, so that connections remain for other accounts and other requests. What an account holds of one pool
 * counts for all of them: a second pool, as of a replica, gives it no second share.
 */
export function limiterPerPool(
  work: string,
  share: number,
  accountShare = 1 / 2,
): (pool: Pool) => ConcurrencyLimiter {
  const known = new WeakMap<Pool, ConcurrencyLimiter>();
  const callers: Callers = { work, held: new Map(), waiting: new Set() };
  return (pool) => {
    const max = Math.max(1, Math.floor(pool.options.max * share));
    const maxPerAccount = Math.max(1, Math.floor(max * accountShare));
    const limiter = known.get(pool) ?? new ConcurrencyLimiter(callers, max, maxPerAccount);
    known.set(pool, limiter);
    return limiter;
  };
}

interface Waiting {
  canGo: () => boolean;
  go: () => void;
}

/** What the limiters of several pools share. */
interface Callers {
  /** What is limited, in the plural */
  readonly work: string;
  /** By account */
  readonly held: Map<string, number>;
  /** In the order of arrival */
  readonly waiting: Set<Waiting>;
}

/** First come, first served, except for accounts that have used their share. */
class ConcurrencyLimiter {
  readonly #callers: Callers;
  #free: number;
  readonly #maxPerAccount: number;

  constructor(callers: Callers, free: number, maxPerAccount: number) {
    this.#callers = callers;
    this.#free = free;
    this.#maxPerAccount = maxPerAccount;
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
    return this.#callers.held.get(accountId) ?? 0;
  }

  #isFreeFor(accountId: string): boolean {
    return this.#free > 0 && this.#heldBy(accountId) < this.#maxPerAccount;
  }

  #begin(accountId: string): void {
    this.#free -= 1;
    this.#callers.held.set(accountId, this.#heldBy(accountId) + 1);
  }

  #end(accountId: string): void {
    this.#free += 1;
    const held = this.#heldBy(accountId) - 1;
    if (held > 0) this.#callers.held.set(accountId, held);
    else this.#callers.held.delete(accountId);
    for (const waiting of this.#callers.waiting) if (waiting.canGo()) waiting.go();
  }

  #wait(accountId: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        canGo: () => this.#isFreeFor(accountId),
        go: () => {
          clearTimeout(timeout);
          this.#callers.waiting.delete(waiting);
          this.#begin(accountId);
          resolve();
        },
      };
      const timeout = setTimeout(() => {
        this.#callers.waiting.delete(waiting);
        const message = `Too many ${this.#callers.work} are under way; try again shortly`;
        reject(new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 }));
      }, timeoutMs);
      this.#callers.waiting.add(waiting);
    });
  }
}
