import { type Core, createCore } from "@terse/core";
import type { Logger } from "@terse/server";
import { clickLogOf, eventLog } from "./click-log.ts";
import type { RedirectConfig } from "./config.ts";

/** The core of a process that redirects and does nothing else; it asks the database for links that it has not seen. */
export function openCore(
  settings: RedirectConfig,
  logger: Logger,
  { poolSize }: { poolSize: number },
): Promise<Core> {
  return createCore({
    databaseUrl: settings.DATABASE_URL,
    shortBase: settings.SHORT_BASE,
    keyPrefix: settings.KEY_PREFIX,
    clickLog: clickLogOf(settings),
    poolSize,
    onEvent: eventLog(logger),
  });
}
