import {
  createDraining,
  createNodeLogger,
  logEvent,
  version,
  createNode,
  describeDatabase,
  exitBecause,
  measurements,
  migrateDatabase,
  onShutdown,
  serveAdmin,
  startTelemetry,
  reportStalls,
} from "@terse/server";
import { readConfig, serviceManager } from "./config.ts";
import { countAndClose, openCore } from "./core.ts";
import { serveRedirects } from "./serve.ts";
import { forgetStart, makeSmallProcess } from "./small-process.ts";

/** Runs the short-link host on its own, on a shared database. */
async function main(): Promise<void> {
  makeSmallProcess();
  const settings = readConfig();
  const telemetry = await startTelemetry(settings);
  const logger = createNodeLogger(settings, telemetry);
  reportStalls(logger);
  const core = await openCore(settings, logger, telemetry.tracer);
  const node = createNode();
  node.add({ checks: () => core.state.checks(), metrics: measurements(core) });
  core.state.watch({ willDrain: true });
  const admin = await serveAdmin({ settings, node, logger });
  const stopping = new AbortController();
  const migration = await migrateDatabase(core, describeDatabase(settings.DATABASE_URL), {
    logger,
    signal: stopping.signal,
  });
  forgetStart();
  const listener = await serveRedirects({ core, settings, databaseUrl: settings.DATABASE_URL, logger, node });
  node.opened();
  logEvent(logger, "started", {
    version,
    runtime: process.version,
    listening: "redirect",
    url: listener.url,
  });
  const manager = serviceManager();
  onShutdown(async () => {
    stopping.abort();
    await listener.close();
    await countAndClose(core);
    await admin.close();
    logEvent(logger, "stopped");
    await telemetry.close();
  }, createDraining({ node, manager, settings, logger }));
  manager.ready();
  try {
    await migration.done;
    core.clicks.startDrain();
  } catch (error) {
    if (stopping.signal.aborted) return;
    await listener.close();
    throw error;
  }
}

await main().catch(exitBecause);
