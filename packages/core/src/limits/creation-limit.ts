import type { Redis } from "ioredis";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { Actor, Context } from "../kernel/context.ts";
import { AppError } from "../kernel/errors.ts";
import { siteOf, siteShare } from "../kernel/addresses.ts";
import { planNames, type Plan, type PlanTable } from "../kernel/plans.ts";

export interface CreationLimit {
  /** Takes one creation from the caller's allowance; the reply says where that leaves it. Throws 429 past it. */
  take(call: Pick<Context, "actor" | "reply">): Promise<void>;
}

const window = 60;
const policy = "link-creation";

/**
 * Creations a minute (of links, buckets, domains and keys), per account by its plan, per address for callers without one, and then also per site, see
 * `siteOf`. Counted in this process, or in Redis for all nodes; a Redis that is away lets each node count for itself.
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
  const bySite = limiter("site", plans.anonymous_creations_per_minute * siteShare);

  /** The counts that a creation of this caller goes into, the closest one first */
  function countsOf(actor: Actor): (readonly [RateLimiterAbstract, key: string])[] {
    if (actor.kind === "account") return [[byPlan[actor.account.plan], actor.account.id]];
    const { address = "unknown" } = actor;
    const site = siteOf(address);
    return [[anonymous, address], ...(site === null ? [] : [[bySite, site] as const])];
  }

  return {
    async take({ actor, reply }) {
      for (const [at, [limit, key]] of countsOf(actor).entries()) {
        const result = await limit.consume(key).catch((refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) return refusal;
          throw refusal;
        });
        const isOver = result.consumedPoints > limit.points;
        const reset = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
        if (at === 0 || isOver) {
          const remaining = Math.max(0, result.remainingPoints);
          reply.rateLimit = { policy, limit: limit.points, remaining, window, reset };
        }
        if (isOver) {
          throw new AppError(
            "TOO_MANY_REQUESTS",
            `Rate limit exceeded: ${limit.points} creations a minute; try again in ${reset} s`,
            { retryAfter: reset },
          );
        }
      }
    },
  };
}
