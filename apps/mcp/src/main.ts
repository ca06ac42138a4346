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
import { serveMcp } from "./app.ts";

/** Runs the MCP host on its own, on a shared database; it answers 503 until the database is reachable. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL, addresses: settings.LOG_ADDRESSES });
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
