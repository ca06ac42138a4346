import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimitState } from "../kernel/context.ts";

/** Counts one use of a limit. Returns the state of the limit, and whether the use is beyond it. */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  policy: string,
): Promise<{ state: RateLimitState; isOver: boolean }> {
  const result = await limiter.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  const { points: limit, duration: window } = limiter;
  const state = {
    policy,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    window,
    reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
  return { state, isOver: result.consumedPoints > limit };
}
