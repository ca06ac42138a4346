import { issue } from "../issues.ts";
import type { Pool } from "pg";
import { AppError } from "../errors.ts";

/**
 * Limits work that may hold a pool's connections for long: to `share` of the connections, and `accountShare` (half)
 * of those for one account, so that connections remain for other accounts and other requests. An account's slots
 * count across all pools: a second pool, such as a replica's, gives it no second share.
 */
export function limiterPerPool(work: string, share: number, accountShare = 1 / 2) {
  /** Slots that accounts hold in all pools */
  const held = new Map<string, number>();
  /** Callers that wait, in the order of their arrival; each begins if it can. */
  const waiting = new Set<() => void>();
  const limiters = new WeakMap<Pool, ReturnType<typeof createLimiter>>();
  return (pool: Pool) => {
    const limiter = limiters.get(pool) ?? createLimiter(Math.max(1, Math.floor(pool.options.max * share)));
    limiters.set(pool, limiter);
    return limiter;
  };

  /** First come, first served, except for accounts that have used their share. */
  function createLimiter(max: number) {
    const maxPerAccount = Math.max(1, Math.floor(max * accountShare));
    let free = max;

    /** Takes a slot if one is free for the account. */
    function begin(accountId: string): boolean {
      const used = held.get(accountId) ?? 0;
      if (free === 0 || used >= maxPerAccount) return false;
      free -= 1;
      held.set(accountId, used + 1);
      return true;
    }

    function end(accountId: string): void {
      free += 1;
      const used = (held.get(accountId) ?? 0) - 1;
      if (used > 0) held.set(accountId, used);
      else held.delete(accountId);
      for (const tryToBegin of waiting) tryToBegin();
    }

    const wait = (accountId: string, timeoutMs: number) =>
      new Promise<void>((resolve, reject) => {
        const tryToBegin = () => {
          if (!begin(accountId)) return;
          clearTimeout(timeout);
          waiting.delete(tryToBegin);
          resolve();
        };
        const timeout = setTimeout(() => {
          waiting.delete(tryToBegin);
          const message = `Too many ${work} are under way; try again shortly`;
          const problem = issue("", "busy", message, { work, seconds: 10 });
          reject(new AppError("SERVICE_UNAVAILABLE", problem, { retryAfter: 10 }));
        }, timeoutMs);
        waiting.add(tryToBegin);
      });

    /** Waits for a slot and returns the function that releases it; 503 if no slot frees in time. */
    async function acquire(accountId: string, timeoutMs: number): Promise<() => void> {
      if (!begin(accountId)) await wait(accountId, timeoutMs);
      return () => end(accountId);
    }

    return {
      acquire,
      /** Runs the task in a slot; 503 if no slot frees in time. */
      async run<T>(accountId: string, timeoutMs: number, task: () => Promise<T>): Promise<T> {
        const release = await acquire(accountId, timeoutMs);
        try {
          return await task();
        } finally {
          release();
        }
      },
    };
  }
}
