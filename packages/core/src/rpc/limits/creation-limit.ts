import type { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory } from "rate-limiter-flexible";
import type { Account, Actor, Context, Reply } from "../../kernel/context.ts";
import type { AppError } from "../../kernel/errors.ts";
import { clientsPerSite } from "../../kernel/addresses.ts";
import { type Plan, planNames } from "../../kernel/names.ts";
import type { PlanTable } from "../../kernel/plans.ts";
import {
  consume,
  type Counter,
  countersOf,
  limiterOf,
  minute,
  refusalOf,
  takeFrom,
  tooMany,
} from "./counting.ts";

export interface CreationLimit {
  /** Counts one creation by the caller and puts the state of the limit into the reply. Throws 429 beyond the limit. */
  take(call: Pick<Context, "actor" | "reply">): Promise<void>;
  /**
   * Counts as many of an account's `wanted` creations as its limit allows, or all or none of them, and puts the state of the
   * limit into the reply. Returns their number, and the refusal (429) of the others.
   */
  takeMany(
    call: { account: Account; reply: Reply },
    wanted: number,
    mode: "some" | "all or none",
  ): Promise<{ taken: number; refusal: AppError | null }>;
  /**
   * Gives a creation back that was refused. Those with invalid input are given back ten times a minute only, so that
   * no one can keep this process busy with them.
   */
  giveBack(actor: Actor, reason: "invalid" | "other"): Promise<"given back" | "kept">;
}

const policy = "link-creation";
const what = "creations";
const refundsPerMinute = 10;

/**
 * Limits creations per minute (of links, buckets, domains and keys): by plan for accounts, by address and by site for
 * callers without one.
 */
export function createCreationLimit(plans: PlanTable, redis: Redis | null): CreationLimit {
  const limiter = (name: string, points: number) => limiterOf(redis, name, points);
  const byPlan = Object.fromEntries(
    planNames.map((plan) => [plan, limiter(plan, plans[plan].limits.link_creations_per_minute)]),
  ) as Record<Plan, RateLimiterAbstract>;
  const anonymous = limiter("anonymous", plans.anonymous_creations_per_minute);
  const bySite = limiter("site", plans.anonymous_creations_per_minute * clientsPerSite);
  const refusals = new RateLimiterMemory({ points: refundsPerMinute, duration: minute });
  const refusalsBySite = new RateLimiterMemory({
    points: refundsPerMinute * clientsPerSite,
    duration: minute,
  });

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
    take: ({ actor, reply }) => takeFrom(countersFor(actor), reply, { policy, what }),
    async takeMany({ account, reply }, wanted, mode) {
      if (wanted === 0) return { taken: 0, refusal: null };
      const limit = byPlan[account.plan];
      const { state, excess } = await consume(limit, account.id, policy, wanted);
      reply.rateLimit = state;
      if (excess === 0) return { taken: wanted, refusal: null };
      const taken = mode === "some" ? Math.max(0, wanted - excess) : 0;
      await limit.reward(account.id, wanted - taken);
      return { taken, refusal: tooMany(state, what) };
    },
    async giveBack(actor, reason) {
      if (reason === "invalid" && (await refusalOf(refusalCountersFor(actor), policy))) return "kept";
      for (const [limit, key] of countersFor(actor)) await limit.reward(key);
      return "given back";
    },
  };
}
