import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import type { RedirectDeps } from "../deps.ts";
import { siteOf, siteShare } from "../kernel/addresses.ts";
import type { PasswordAttempts } from "./limits.types.ts";
import { CircuitBreaker } from "../concurrency/circuit-breaker.ts";

const points = 10;
const seconds = 600;

/**
 * Counts guesses at passwords for all nodes, of a client and of its site, see `siteOf`: in Redis where there is one, else
 * in PostgreSQL. While that is away, each process counts for itself.
 */
export function createPasswordAttempts(deps: RedirectDeps): PasswordAttempts {
  const limiterOf = limitersOn(deps);
  const ofClient = limiterOf("terse:guesses", points);
  const ofSite = limiterOf("terse:guesses:site", points * siteShare);

  /** The counts that a guess goes into, the closest one first */
  function countsOf(linkId: string, client: string): (readonly [RateLimiterAbstract, key: string])[] {
    const site = siteOf(client);
    return [
      [ofClient, keyOf(linkId, client)],
      ...(site === null ? [] : [[ofSite, keyOf(linkId, site)] as const]),
    ];
  }

  return {
    points,
    seconds,
    async take(linkId, client) {
      try {
        for (const [limiter, key] of countsOf(linkId, client)) await limiter.consume(key);
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
    async refund(linkId, client) {
      for (const [limiter, key] of countsOf(linkId, client)) await limiter.reward(key);
    },
  };
}

/** No address or network is stored, only what it and a link's id hash to, for about an hour. */
const keyOf = (linkId: string, client: string) =>
  createHash("sha256").update(`${linkId} ${client}`).digest("base64url");

function limitersOn({ redis, pool }: RedirectDeps) {
  const breaker = new CircuitBreaker();
  return (keyPrefix: string, most: number): RateLimiterAbstract => {
    const options = { keyPrefix, points: most, duration: seconds };
    const shared = {
      ...options,
      insuranceLimiter: new RateLimiterMemory(options),
      // Who goes on and on is refused from memory: no flood of guesses reaches the store.
      inMemoryBlockOnConsumed: 10 * most,
    };
    if (redis) return new RateLimiterRedis({ ...shared, storeClient: redis });
    return new RateLimiterPostgres({
      ...shared,
      storeClient: { query: (query: QueryConfig) => breaker.run(() => pool.query(query)) },
      storeType: "pool",
      tableName: "password_guesses",
      tableCreated: true,
    });
  };
}
