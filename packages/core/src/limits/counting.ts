import type { Redis } from "ioredis";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { Reply } from "../kernel/context.ts";
import { AppError } from "../kernel/errors.ts";
import type { Counter } from "./client-counters.ts";

/** Seconds that the limits of calls are counted for */
export const minute = 60;

/** Counts per minute in this process, or in Redis for all nodes; per process while Redis is unreachable. */
export function limiterPerMinute(redis: Redis | null, name: string, points: number): RateLimiterAbstract {
  const options = { keyPrefix: `terse:limit:${name}`, points, duration: minute };
  const memory = new RateLimiterMemory(options);
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory }) : memory;
}

/** Takes one point; also returns the state beyond the limit, instead of throwing it. */
export const consume = (limit: RateLimiterAbstract, key: string): Promise<RateLimiterRes> =>
  limit.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });

/**
 * Takes one point of each counter and puts the state of the first one, or of the one that refuses, into the reply. Throws
 * 429 beyond a limit; `what` names the calls that are counted, such as "creations".
 */
export async function takeFrom(
  counters: readonly Counter[],
  reply: Reply,
  { policy, what }: { policy: string; what: string },
): Promise<void> {
  for (const [at, [limit, key]] of counters.entries()) {
    const result = await consume(limit, key);
    const isOver = result.consumedPoints > limit.points;
    const reset = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    if (at === 0 || isOver) {
      const remaining = Math.max(0, result.remainingPoints);
      reply.rateLimit = { policy, limit: limit.points, remaining, window: minute, reset };
    }
    if (isOver) {
      throw new AppError(
        "TOO_MANY_REQUESTS",
        `Rate limit exceeded: ${limit.points} ${what} a minute; try again in ${reset} s`,
        { retryAfter: reset },
      );
    }
  }
}
