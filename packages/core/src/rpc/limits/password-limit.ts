import { siteShare } from "../../kernel/addresses.ts";
import type { Context, RateLimitState } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { type Counter, countersOf } from "./client-counters.ts";
import { consume, limiterPerMinute } from "./counting.ts";

/** Limits how many passwords are hashed in a minute, right ones too, since each takes this process a lot of CPU time. */
export interface PasswordLimit {
  /** Counts a password that a client at this address or network tries. Returns the limit's state if it is refused. */
  takeAttempt(client: string): Promise<RateLimitState | null>;
  /** Counts a password that an account sets. Throws 429 beyond the limit, with its state in the reply. */
  takeChange(call: Pick<Context, "actor" | "reply">): Promise<void>;
}

const policy = "passwords";
const defaultPerMinute = 60;

/** Counts in this process only, as the time that it protects is this process's. `perMinute`: default 60 */
export function createPasswordLimit(perMinute = defaultPerMinute): PasswordLimit {
  const limiter = (points: number) => limiterPerMinute(null, policy, points);
  const byAccount = limiter(perMinute);
  const byClient = limiter(perMinute);
  const bySite = limiter(perMinute * siteShare);

  async function take(counters: readonly Counter[]): Promise<RateLimitState | null> {
    for (const [limit, key] of counters) {
      const { state, isOver } = await consume(limit, key, policy);
      if (isOver) return state;
    }
    return null;
  }

  return {
    takeAttempt: (client) => take(countersOf(client, { byClient, bySite })),
    async takeChange({ actor, reply }) {
      const refusal = await take([[byAccount, actor.kind === "account" ? actor.account.id : ""]]);
      if (refusal === null) return;
      reply.rateLimit = refusal;
      throw new AppError(
        "TOO_MANY_REQUESTS",
        `password: the limit is ${refusal.limit} a minute; try again in ${refusal.reset} s`,
        { retryAfter: refusal.reset },
      );
    },
  };
}
