import { type Core, type CoreOptions, createCore } from "@terse/core";
import type { Settings } from "@terse/server";
import type { Database } from "./database.ts";
import { reasonOf, UserError } from "./explain.ts";

/** The core on a database that need not be there yet. */
export function openCore(
  settings: Settings,
  { url }: Database,
  more: Pick<CoreOptions, "clickLog" | "onEvent"> = {},
): Promise<Core> {
  return createCore({
    databaseUrl: url,
    shortBase: settings.SHORT_BASE,
    keyPrefix: settings.KEY_PREFIX,
    redisUrl: settings.REDIS_URL ?? undefined,
    apiKeysPlan: settings.API_KEYS_PLAN,
    rateLimits: {
      anonymous: settings.RATE_LIMIT_ANONYMOUS,
      free: settings.RATE_LIMIT_FREE,
      pro: settings.RATE_LIMIT_PRO,
      enterprise: settings.RATE_LIMIT_ENTERPRISE,
    },
    ...more,
  });
}

/** What is wrong with a database that refuses or, where nobody waits for it, is away. */
export const databaseRefusal = ({ description }: Database, cause: unknown) =>
  new UserError(`The database at ${description} cannot be used: ${reasonOf(cause)}`, { cause });
