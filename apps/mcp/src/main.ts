import { createCore } from "@terse/core";
import {
  coreOptionsOf,
  createDraining,
  createNodeLogger,
  logEvent,
  version,
  createNode,
  describeDatabase,
  eventLog,
  exitBecause,
  measurements,
  migrateDatabase,
  onShutdown,
  serveAdmin,
  startTelemetry,
  reportStalls,
} from "@terse/server";
import { readConfig, serviceManager } from "./config.ts";
import { serveMcp } from "./app.ts";

/** Runs the MCP host on its own, on a shared database; it answers 503 until the database is reachable. */
async function main(): Promise<void> {
  const settings = readConfig();
  const telemetry = await startTelemetry(settings);
  const logger = createNodeLogger(settings, telemetry);
  reportStalls(logger);
  const core = await createCore({
    databaseUrl: settings.DATABASE_URL,
    ...coreOptionsOf(settings),
    onEvent: eventLog(logger),
    tracer: telemetry.tracer,
  });
  const node = createNode();
  node.add({ checks: () => core.state.checks(), metrics: measurements(core) });
  core.state.watch();
  const admin = await serveAdmin({ settings, node, logger });
  const listener = await serveMcp({ core, settings, logger, node });
  node.opened();
  logEvent(logger, "started", {
    version,
    runtime: process.version,
    listening: "mcp",
    url: `${listener.url}/mcp`,
  });
  const stopping = new AbortController();
  const manager = serviceManager();
  onShutdown(async () => {
    stopping.abort();
    await listener.close();
    await core.close();
    await admin.close();
    logEvent(logger, "stopped");
    await telemetry.close();
  }, createDraining({ node, manager, settings, logger }));
  manager.ready();
  const { signal } = stopping;
  try {
    const description = describeDatabase(settings.DATABASE_URL);
    await (await migrateDatabase(core, description, { logger, signal })).done;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

await main().catch(exitBecause);
