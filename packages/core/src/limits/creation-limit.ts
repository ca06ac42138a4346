import type { Redis } from "ioredis";
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { Actor, Context } from "../kernel/context.ts";
import { AppError } from "../kernel/errors.ts";
import { siteShare } from "../kernel/addresses.ts";
import { planNames, type Plan, type PlanTable } from "../kernel/plans.ts";
import { type Counter, countersOf } from "./client-counters.ts";

export interface CreationLimit {
  /** Counts one creation by the caller and puts the state of the limit into the reply. Throws 429 beyond the limit. */
  take(call: Pick<Context, "actor" | "reply">): Promise<void>;
  /**
   * Gives a creation back that was refused. Those with invalid input are given back ten times a minute only, so that
   * nobody can keep this process busy with them.
   */
  giveBack(actor: Actor, reason: "invalid" | "other"): Promise<"given back" | "kept">;
}

const window = 60;
const policy = "link-creation";
const freeRefusals = 10;

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
  const refusals = new RateLimiterMemory({ points: freeRefusals, duration: window });
  const refusalsBySite = new RateLimiterMemory({ points: freeRefusals * siteShare, duration: window });

  /** The counters for a caller, the narrowest first. */
  const countersFor = (actor: Actor): Counter[] =>
    actor.kind === "account"
      ? [[byPlan[actor.account.plan], actor.account.id]]
      : countersOf(actor.address ?? "unknown", { byClient: anonymous, bySite });
  const refusalCountersFor = (actor: Actor): Counter[] =>
    actor.kind === "account"
      ? [[refusals, actor.account.id]]
      : countersOf(actor.address ?? "unknown", { byClient: refusals, bySite: refusalsBySite });

  return {
    async take({ actor, reply }) {
      for (const [at, [limit, key]] of countersFor(actor).entries()) {
        const result = await consume(limit, key);
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
    async giveBack(actor, reason) {
      if (reason === "invalid") {
        for (const [limit, key] of refusalCountersFor(actor)) {
          if ((await consume(limit, key)).consumedPoints > limit.points) return "kept";
        }
      }
      for (const [limit, key] of countersFor(actor)) await limit.reward(key);
      return "given back";
    },
  };
}

/** Takes one point; also returns the state beyond the limit, instead of throwing it. */
const consume = (limit: RateLimiterAbstract, key: string): Promise<RateLimiterRes> =>
  limit.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
