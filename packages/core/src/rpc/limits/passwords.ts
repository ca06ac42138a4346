import { issue } from "../../kernel/issues.ts";
import { createHmac } from "node:crypto";
import type { Redis } from "ioredis";
import type { Pool, QueryConfig } from "pg";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from "rate-limiter-flexible";
import { CircuitBreaker } from "../../db/circuit-breaker.ts";
import { clientsPerSite } from "../../kernel/addresses.ts";
import type { Context, RateLimitState } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { type Counter, countersOf, limiterOf, refusalOf } from "./counting.ts";
import type { PasswordAttempts } from "./limits.types.ts";

/** Limits how many passwords are hashed in a minute, right ones too, since each takes this process a lot of CPU time. */
export interface PasswordLimit {
  /** Counts a password that a client at this address or network tries. Returns the limit's state if it is refused. */
  takeAttempt(client: string): Promise<RateLimitState | null>;
  /** Counts a password that an account sets. Throws 429 beyond the limit, with its state in the reply. */
  takeChange(call: Pick<Context, "actor" | "reply">): Promise<void>;
}

const limitPolicy = "passwords";
const defaultPerMinute = 60;

/** Counts in this process only, as the time that it protects is this process's. `perMinute`: default 60 */
export function createPasswordLimit(perMinute = defaultPerMinute): PasswordLimit {
  const limiter = (points: number) => limiterOf(null, limitPolicy, points);
  const byAccount = limiter(perMinute);
  const byClient = limiter(perMinute);
  const bySite = limiter(perMinute * clientsPerSite);

  return {
    takeAttempt: (client) => refusalOf(countersOf(client, { byClient, bySite }), limitPolicy),
    async takeChange({ actor, reply }) {
      const account = actor.kind === "account" ? actor.account.id : "";
      const refusal = await refusalOf([[byAccount, account]], limitPolicy);
      if (refusal === null) return;
      reply.rateLimit = refusal;
      throw new AppError(
        "TOO_MANY_REQUESTS",
        issue(
          "password",
          "rate_limited",
          `the limit is ${refusal.limit} a minute; try again in ${refusal.reset} s`,
          { seconds: refusal.reset, limit: refusal.limit, what: "passwords" },
        ),
        { retryAfter: refusal.reset },
      );
    },
  };
}

interface Stores {
  pool: Pool;
  /** Null if the attempts are counted in PostgreSQL */
  redis: Redis | null;
}

interface Deps extends Stores {
  passwordLimit: PasswordLimit;
  /** Returns the secret of a UTC day (YYYY-MM-DD), which all nodes share and which is deleted after that day */
  saltOf: (day: string) => Promise<Buffer>;
  clock: () => Date;
  randomBytes: (size: number) => Uint8Array;
}

const points = 10;
const seconds = 600;
const policy = "guesses";

/**
 * Counts password attempts by client and by site, for all nodes: in Redis if it is configured, else in PostgreSQL. While
 * that is unreachable, each process counts its own.
 */
export function createPasswordAttempts(deps: Deps): PasswordAttempts {
  const createLimiter = limiterFactory(deps);
  const byClient = createLimiter("terse:guesses", points);
  const bySite = createLimiter("terse:guesses:site", points * clientsPerSite);
  const secret = createSecret(deps);
  async function countersFor(linkId: string, client: string): Promise<Counter[]> {
    const key = await secret();
    return countersOf(client, { byClient, bySite }, (network) => keyOf(key, linkId, network));
  }

  return {
    async take(linkId, client) {
      const refusal = await deps.passwordLimit.takeAttempt(client);
      return refusal ?? refusalOf(await countersFor(linkId, client), policy);
    },
    async refund(linkId, client) {
      for (const [limiter, key] of await countersFor(linkId, client)) await limiter.reward(key);
    },
  };
}

/** Only this is stored of an address or network, for about an hour. Without a secret, all addresses could be tried. */
const keyOf = (secret: Uint8Array, linkId: string, network: string) =>
  createHmac("sha256", secret).update(`password attempts ${linkId} ${network}`).digest("base64url");

/** Returns the function that reads the day's secret, once a day. While it cannot be read, this process uses its own. */
function createSecret({ saltOf, clock, randomBytes }: Deps): () => Promise<Uint8Array> {
  const own = randomBytes(32);
  const breaker = new CircuitBreaker();
  let known: { day: string; salt: Uint8Array } | null = null;
  return async () => {
    const day = clock().toISOString().slice(0, 10);
    if (known?.day === day) return known.salt;
    try {
      const salt = await breaker.run(() => saltOf(day));
      known = { day, salt };
      return salt;
    } catch {
      return own;
    }
  };
}

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
