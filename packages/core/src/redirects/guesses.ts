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
import type { Guesses } from "../types.ts";
import { Breaker } from "./breaker.ts";

const points = 10;
const seconds = 600;

/**
 * Counts guesses at passwords for all nodes: in Redis where there is one, else in PostgreSQL. While that is away, each
 * process counts for itself.
 */
export function createGuesses(deps: RedirectDeps): Guesses {
  const limiter = limiterOn(deps);
  return {
    points,
    seconds,
    async take(linkId, client) {
      try {
        await limiter.consume(keyOf(linkId, client));
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
    async giveBack(linkId, client) {
      await limiter.reward(keyOf(linkId, client));
    },
  };
}

/** No address is stored, only what it and a link's id hash to, for about an hour. */
const keyOf = (linkId: string, client: string) =>
  createHash("sha256").update(`${linkId} ${client}`).digest("base64url");

function limiterOn({ redis, pool, clock }: RedirectDeps): RateLimiterAbstract {
  const options = { keyPrefix: "terse:guesses", points, duration: seconds };
  const shared = {
    ...options,
    insuranceLimiter: new RateLimiterMemory(options),
    // Who goes on and on is refused from memory: no flood of guesses reaches the store.
    inMemoryBlockOnConsumed: 10 * points,
  };
  if (redis) return new RateLimiterRedis({ ...shared, storeClient: redis });
  const breaker = new Breaker(clock);
  return new RateLimiterPostgres({
    ...shared,
    storeClient: { query: (query: QueryConfig) => breaker.ask(() => pool.query(query)) },
    storeType: "pool",
    tableName: "password_guesses",
    tableCreated: true,
  });
}
