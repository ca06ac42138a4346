import { type Core, createCore } from "@terse/core";
import type { Settings } from "@terse/server";
import type { Database } from "./database.ts";
import { reasonOf, UserError } from "./explain.ts";

/** A firewall that swallows packets would otherwise keep us waiting for minutes. */
const patienceMs = 15_000;

/**
 * The core on a database that answers and has this version's schema.
 * @throws {UserError} where the database refuses or cannot be reached
 */
export async function openCore(settings: Settings, database: Database): Promise<Core> {
  const refuse = (cause: unknown) =>
    new UserError(`The database at ${database.description} cannot be used: ${reasonOf(cause)}`, { cause });
  const core = await createCore({
    databaseUrl: database.url,
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
  }).catch((error: unknown) => {
    throw refuse(error);
  });
  try {
    await inTime(core.ping());
    await core.migrate();
    return core;
  } catch (error) {
    // Not waited for: a connection that is still being tried would hold it up.
    void core.close().catch(() => {});
    throw refuse(error);
  }
}

async function inTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs);
  });
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
