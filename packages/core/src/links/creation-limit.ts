import type { Redis } from "ioredis";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { Actor, RateLimitState } from "../context.ts";
import { AppError } from "../errors.ts";
import { planNames, type Plan, type PlanTable } from "../plans.ts";

export interface CreationLimit {
  /** Takes one creation from the caller's allowance; `onState` hears where that leaves it. Throws 429 past it. */
  take(actor: Actor, onState: (state: RateLimitState) => void): Promise<void>;
}

const window = 60;
const policy = "link-creation";

/**
 * Link creations a minute, per account by its plan, per address for callers without one. Counted in this process, or
 * in Redis for all nodes; a Redis that is away lets each node count for itself.
 */
export function createCreationLimit(plans: PlanTable, redis: Redis | null): CreationLimit {
  const limiter = (name: string, points: number): RateLimiterAbstract => {
    const options = { keyPrefix: `terse:limit:${name}`, points, duration: window };
    const memory = new RateLimiterMemory(options);
    return redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory })
      : memory;
  };
  const byPlan = Object.fromEntries(
    planNames.map((plan) => [plan, limiter(plan, plans[plan].limits.link_creations_per_minute)]),
  ) as Record<Plan, RateLimiterAbstract>;
  const anonymous = limiter("anonymous", plans.anonymous_creations_per_minute);

  return {
    async take(actor, onState) {
      const bucket = actor.kind === "account" ? byPlan[actor.account.plan] : anonymous;
      const key = actor.kind === "account" ? actor.account.id : (actor.address ?? "unknown");
      const result = await bucket.consume(key).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      const reset = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      onState({
        policy,
        limit: bucket.points,
        remaining: Math.max(0, result.remainingPoints),
        window,
        reset,
      });
      if (result.consumedPoints > bucket.points) {
        throw new AppError(
          "TOO_MANY_REQUESTS",
          `Rate limit exceeded: ${bucket.points} link creations a minute; try again in ${reset} s`,
          { retryAfter: reset },
        );
      }
    },
  };
}
