import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Pool, QueryConfig } from "pg";
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { siteShare } from "../kernel/addresses.ts";
import { countersOf } from "./client-counters.ts";
import type { PasswordAttempts } from "./limits.types.ts";
import { CircuitBreaker } from "../concurrency/circuit-breaker.ts";

interface Stores {
  pool: Pool;
  /** Null if the attempts are counted in PostgreSQL */
  redis: Redis | null;
}

const points = 10;
const seconds = 600;

/**
 * Counts password attempts by client and by site, for all nodes: in Redis if it is configured, else in PostgreSQL. While
 * that is unreachable, each process counts its own.
 */
export function createPasswordAttempts(stores: Stores): PasswordAttempts {
  const createLimiter = limiterFactory(stores);
  // Nodes of an earlier version count under the same keys.
  const byClient = createLimiter("terse:guesses", points);
  const bySite = createLimiter("terse:guesses:site", points * siteShare);
  const countersFor = (linkId: string, client: string) =>
    countersOf(client, { byClient, bySite }, (network) => keyOf(linkId, network));

  return {
    points,
    seconds,
    async take(linkId, client) {
      try {
        for (const [limiter, key] of countersFor(linkId, client)) await limiter.consume(key);
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
    async refund(linkId, client) {
      for (const [limiter, key] of countersFor(linkId, client)) await limiter.reward(key);
    },
  };
}

/** Only a hash of the link's id and the address or network is stored, for about an hour. */
const keyOf = (linkId: string, network: string) =>
  createHash("sha256").update(`${linkId} ${network}`).digest("base64url");

function limiterFactory({ redis, pool }: Stores) {
  const breaker = new CircuitBreaker();
  return (keyPrefix: string, maxPoints: number): RateLimiterAbstract => {
    const options = { keyPrefix, points: maxPoints, duration: seconds };
    const shared = {
      ...options,
      insuranceLimiter: new RateLimiterMemory(options),
      // A client far beyond the limit is refused from memory, so that a flood does not reach the store.
      inMemoryBlockOnConsumed: 10 * maxPoints,
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
