import { createCore, waitForDatabase } from "@terse/core";
import {
  coreOptionsOf,
  createLogger,
  databaseError,
  describeDatabase,
  eventLog,
  exitBecause,
  onShutdown,
} from "@terse/server";
import { readConfig } from "./config.ts";
import { serveMcp } from "./serve.ts";

/** Runs the MCP host alone, beside a database that others share; it answers 503 until that is there. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL });
  const core = await createCore({
    databaseUrl: settings.DATABASE_URL,
    ...coreOptionsOf(settings),
    onEvent: eventLog(logger),
  });
  const listener = await serveMcp({ core, settings, logger });
  logger.info({ url: `${listener.url}/mcp` }, "MCP host ready");
  const stopping = new AbortController();
  onShutdown(async () => {
    stopping.abort();
    await listener.close();
    await core.close();
  });
  await waitForDatabase(() => core.migrate(), {
    onAway: (reason) => logger.warn({ err: reason }, "waiting for the database"),
    signal: stopping.signal,
  }).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    throw databaseError(describeDatabase(settings.DATABASE_URL), error);
  });
}

await main().catch(exitBecause);
