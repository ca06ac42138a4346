import { createRedirectCore, type RedirectCore } from "@terse/core/redirect";
import { coreOptionsOf, eventLog, type Logger, type SettingsWithDatabase } from "@terse/server";
import { clickLogOf } from "./click-log.ts";

/** The core of a process that redirects and does nothing else; it asks the database for links that it has not seen. */
export function openCore(
  settings: SettingsWithDatabase,
  logger: Logger,
  { poolSize }: { poolSize: number },
): Promise<RedirectCore> {
  return createRedirectCore({
    databaseUrl: settings.DATABASE_URL,
    ...coreOptionsOf(settings),
    clickLog: clickLogOf(settings),
    poolSize,
    onEvent: eventLog(logger),
  });
}
