import { createCore, toFailure } from "@terse/core";
import { createLogger, listen, ListenError, onShutdown, SettingsError } from "@terse/server";
import { createRedirectApp } from "./app.ts";
import { readConfig } from "./config.ts";

/** Runs the short-link host alone, beside a database that others share. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL });
  const core = await createCore({
    databaseUrl: settings.DATABASE_URL,
    shortBase: settings.SHORT_BASE,
    keyPrefix: settings.KEY_PREFIX,
  });
  await core.migrate();
  const listener = await listen({
    name: "redirect",
    app: createRedirectApp({ core, settings, logger }),
    host: settings.HOST,
    port: settings.REDIRECT_PORT,
    portSetting: "REDIRECT_PORT",
    logger,
  });
  logger.info({ url: listener.url }, "short-link host ready");
  onShutdown(async () => {
    await listener.close();
    await core.close();
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** One line for what a person can mend; the whole error where the fault is ours. */
function explain(error: unknown): string {
  if (error instanceof SettingsError || error instanceof ListenError) return error.message;
  const { status } = toFailure(error);
  if (status === 503)
    return "The database cannot be reached: check DATABASE_URL and that PostgreSQL is running";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
