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
  accountShare?: number,
): (pool: Pool) => ConcurrencyLimiter {
  const known = new WeakMap<Pool, ConcurrencyLimiter>();
  const callers: Callers = { held: new Map(), waiting: new Set() };
  return (pool) => {
    const max = Math.max(1, Math.floor(pool.options.max * share));
    const limiter = known.get(pool) ?? new ConcurrencyLimiter(work, max, accountShare, callers);
    known.set(pool, limiter);
    return limiter;
  };
}

interface Waiting {
  canGo: () => boolean;
  go: () => void;
}

/** What accounts hold, and who waits, in the order of arrival; limiters can share it. */
interface Callers {
  readonly held: Map<string, number>;
  readonly waiting: Set<Waiting>;
}

/** First come, first served, except for accounts that have used their share. */
export class ConcurrencyLimiter {
  readonly #work: string;
  #free: number;
  readonly #maxPerAccount: number;
  readonly #held: Callers["held"];
  readonly #waiting: Callers["waiting"];

  constructor(
    work: string,
    max: number,
    accountShare = 1 / 2,
    { held, waiting }: Callers = { held: new Map(), waiting: new Set() },
  ) {
    this.#held = held;
    this.#waiting = waiting;
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
    for (const waiting of this.#waiting) if (waiting.canGo()) waiting.go();
  }

  #wait(accountId: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        canGo: () => this.#isFreeFor(accountId),
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
