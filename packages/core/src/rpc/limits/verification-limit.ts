import type { Redis } from "ioredis";
import type { Reply } from "../../kernel/context.ts";
import { limiterPerMinute, takeFrom } from "./counting.ts";

export interface VerificationLimit {
  /** Counts one look-up of an account's DNS records. Throws 429 beyond sixty a minute. */
  take(accountId: string, reply: Reply): Promise<void>;
}

/** Each look-up asks resolvers up to a dozen questions, so it is limited on every plan alike. */
const perMinute = 60;

export function createVerificationLimit(redis: Redis | null): VerificationLimit {
  const limiter = limiterPerMinute(redis, "verification", perMinute);
  return {
    take: (accountId, reply) =>
      takeFrom([[limiter, accountId]], reply, { policy: "domain-verification", what: "verifications" }),
  };
}
