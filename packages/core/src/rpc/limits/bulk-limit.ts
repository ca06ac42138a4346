import type { Redis } from "ioredis";
import type { Reply } from "../../kernel/context.ts";
import { limiterPerMinute, takeFrom } from "./counting.ts";

export interface BulkLimit {
  /** Counts one operation on many links. Throws 429 beyond 120 a minute. */
  take(accountId: string, reply: Reply): Promise<void>;
}

/** Reading and checking a thousand links takes this process up to a tenth of a second, whether they are created or not. */
const perMinute = 120;

export function createBulkLimit(redis: Redis | null): BulkLimit {
  const limiter = limiterPerMinute(redis, "bulk", perMinute);
  return {
    take: (accountId, reply) =>
      takeFrom([[limiter, accountId]], reply, { policy: "bulk", what: "bulk operations" }),
  };
}
