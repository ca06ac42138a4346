import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { Actor, Context } from "../kernel/context.ts";
import { AppError } from "../kernel/errors.ts";
import { siteShare } from "../kernel/addresses.ts";
import { planNames, type Plan, type PlanTable } from "../kernel/plans.ts";
import { type Counter, countersOf } from "./client-counters.ts";
import { consume } from "./rate-limit-state.ts";

export interface CreationLimit {
  /** Counts one creation by the caller and puts the state of the limit into the reply. Throws 429 beyond the limit. */
  take(call: Pick<Context, "actor" | "reply">): Promise<void>;
}

const window = 60;
const policy = "link-creation";

/**
 * Limits creations per minute (of links, buckets, domains and keys): by plan for accounts, by address and by site for
 * callers without one. Counted in this process, or in Redis for all nodes; per process while Redis is unreachable.
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

  /** The counters for a caller, the narrowest first. */
  const countersFor = (actor: Actor): Counter[] =>
    actor.kind === "account"
      ? [[byPlan[actor.account.plan], actor.account.id]]
      : countersOf(actor.address ?? "unknown", { byClient: anonymous, bySite });

  return {
    async take({ actor, reply }) {
      for (const [at, [limit, key]] of countersFor(actor).entries()) {
        const { state, isOver } = await consume(limit, key, policy);
        if (at === 0 || isOver) reply.rateLimit = state;
        if (isOver) {
          throw new AppError(
            "TOO_MANY_REQUESTS",
            `Rate limit exceeded: ${state.limit} creations a minute; try again in ${state.reset} s`,
            { retryAfter: state.reset },
          );
        }
      }
    },
  };
}
