import { createCore, waitForDatabase } from "@terse/core";
import {
  coreOptionsOf,
  createLogger,
  createNode,
  databaseError,
  describeDatabase,
  eventLog,
  exitBecause,
  measurements,
  onShutdown,
  reasonOf,
  serveAdmin,
} from "@terse/server";
import { readConfig, serviceManager } from "./config.ts";
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
  const node = createNode();
  node.add({ checks: () => core.state.checks(), metrics: measurements(core) });
  core.state.watch();
  const admin = await serveAdmin({ settings, node, logger });
  const listener = await serveMcp({ core, settings, logger, node });
  logger.info({ url: `${listener.url}/mcp` }, "MCP host ready");
  const stopping = new AbortController();
  const manager = serviceManager();
  const drain = () => {
    node.drain();
    manager.stopping();
  };
  onShutdown(
    async () => {
      stopping.abort();
      await listener.close();
      await core.close();
      await admin.close();
    },
    { drain, drainDelay: settings.DRAIN_DELAY },
  );
  manager.ready();
  await waitForDatabase(() => core.migrate(), {
    onAway: (reason) => logger.warn({ found: reasonOf(reason), err: reason }, "waiting for the database"),
    signal: stopping.signal,
  }).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    throw databaseError(describeDatabase(settings.DATABASE_URL), error);
  });
}

await main().catch(exitBecause);
