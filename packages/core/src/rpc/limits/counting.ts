import { issue } from "../../kernel/issues.ts";
import type { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { RateLimitState, Reply } from "../../kernel/context.ts";
import { siteOf } from "../../kernel/addresses.ts";
import { AppError } from "../../kernel/errors.ts";

/** Seconds that the limits of calls are counted for */
export const minute = 60;

/** Counts in this process, or in Redis for all nodes; per process while Redis is unreachable. */
export function limiterOf(
  redis: Redis | null,
  name: string,
  points: number,
  duration = minute,
): RateLimiterAbstract {
  const options = { keyPrefix: `terse:limit:${name}`, points, duration };
  const memory = new RateLimiterMemory(options);
  return redis ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory }) : memory;
}

/** A limiter, and the key under which it counts. */
export type Counter = readonly [limiter: RateLimiterAbstract, key: string];

/**
 * The counters for one client, its own first, then that of its site if it has one, see `siteOf`. `keyOf` makes a key of
 * an address or network.
 */
export function countersOf(
  client: string,
  { byClient, bySite }: { byClient: RateLimiterAbstract; bySite: RateLimiterAbstract },
  keyOf: (network: string) => string = (network) => network,
): Counter[] {
  const site = siteOf(client);
  return [[byClient, keyOf(client)], ...(site === null ? [] : [[bySite, keyOf(site)] as const])];
}

/** Counts uses of a limit. Returns the state of the limit, whether they are beyond it, and how many. */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  policy: string,
  uses = 1,
): Promise<{ state: RateLimitState; isOver: boolean; excess: number }> {
  const result = await limiter.consume(key, uses).catch((refusal: unknown) => {
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
  const excess = Math.max(0, result.consumedPoints - limit);
  return { state, isOver: excess > 0, excess };
}

/** Takes one point of each counter. Returns the state of the limit that refuses it, or null. */
export async function refusalOf(
  counters: readonly Counter[],
  policy: string,
): Promise<RateLimitState | null> {
  for (const [limiter, key] of counters) {
    const { state, isOver } = await consume(limiter, key, policy);
    if (isOver) return state;
  }
  return null;
}

/** The refusal (429) of calls beyond a limit; `what` names the calls that are counted, such as "creations". */
export const tooMany = ({ limit, reset }: RateLimitState, what: string) =>
  new AppError(
    "TOO_MANY_REQUESTS",
    issue("", "rate_limited", `Rate limit exceeded: ${limit} ${what} a minute; try again in ${reset} s`, {
      seconds: reset,
      limit,
      what,
    }),
    { retryAfter: reset },
  );

/**
 * Takes one point of each counter and puts the state of the first one, or of the one that refuses, into the reply. Throws
 * 429 beyond a limit; see `tooMany` for `what`.
 */
export async function takeFrom(
  counters: readonly Counter[],
  reply: Reply,
  { policy, what }: { policy: string; what: string },
): Promise<void> {
  for (const [at, [limit, key]] of counters.entries()) {
    const { state, isOver } = await consume(limit, key, policy);
    if (at === 0 || isOver) reply.rateLimit = state;
    if (isOver) throw tooMany(state, what);
  }
}
