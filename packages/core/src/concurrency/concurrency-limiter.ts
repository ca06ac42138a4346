import type { Pool } from "pg";
import { AppError } from "../kernel/errors.ts";

/**
 * Turns at a pool's connections for work that may keep them long: `share` of the connections at most, and half of those
 * for one account, so that whatever one does leaves some to its like and more to all other requests.
 */
export function limiterPerPool(work: string, share: number): (pool: Pool) => ConcurrencyLimiter {
  const known = new WeakMap<Pool, ConcurrencyLimiter>();
  return (pool) => {
    const turns =
      known.get(pool) ?? new ConcurrencyLimiter(work, Math.max(1, Math.floor(pool.options.max * share)));
    known.set(pool, turns);
    return turns;
  };
}

interface Waiting {
  accountId: string;
  go: () => void;
}

/** Who comes first goes first, but for accounts that have their share. */
class ConcurrencyLimiter {
  readonly #work: string;
  #free: number;
  readonly #mostOfOne: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(work: string, most: number) {
    this.#work = work;
    this.#free = most;
    this.#mostOfOne = Math.max(1, Math.floor(most / 2));
  }

  /** Works in a turn: waits for it, 503 after `patienceMs`. */
  async run<T>(accountId: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(accountId, patienceMs);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a turn, 503 after `patienceMs`; the answer gives it back. */
  async acquire(accountId: string, patienceMs: number): Promise<() => void> {
    if (this.#isFreeFor(accountId)) this.#begin(accountId);
    else await this.#wait(accountId, patienceMs);
    return () => this.#end(accountId);
  }

  #heldBy(accountId: string): number {
    return this.#held.get(accountId) ?? 0;
  }

  #isFreeFor(accountId: string): boolean {
    return this.#free > 0 && this.#heldBy(accountId) < this.#mostOfOne;
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

  #wait(accountId: string, patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        accountId,
        go: () => {
          clearTimeout(patience);
          this.#waiting.delete(waiting);
          this.#begin(accountId);
          resolve();
        },
      };
      const patience = setTimeout(() => {
        this.#waiting.delete(waiting);
        const message = `Too many ${this.#work} are under way; try again shortly`;
        reject(new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 10 }));
      }, patienceMs);
      this.#waiting.add(waiting);
    });
  }
}
