import { whenDatabaseThere } from "@terse/core";
import { createLogger, onShutdown } from "@terse/server";
import { countAndClose } from "./click-log.ts";
import { readConfig } from "./config.ts";
import { DatabaseError, explain } from "./explain.ts";
import { openCore } from "./open-core.ts";
import { serveRedirects } from "./serve.ts";

/** Runs the short-link host alone, beside a database that others share. */
async function main(): Promise<void> {
  const settings = readConfig();
  const logger = createLogger({ level: settings.LOG_LEVEL });
  const core = await openCore(settings, logger, { poolSize: 10 });
  const stopping = new AbortController();
  const listener = await serveRedirects({ core, settings, databaseUrl: settings.DATABASE_URL, logger });
  onShutdown(async () => {
    stopping.abort();
    await listener.close();
    await countAndClose(core);
  });
  logger.info({ url: listener.url }, "short-link host ready");
  await whenDatabaseThere(() => core.migrate(), {
    onAway: (err) => logger.warn({ err }, "waiting for the database"),
    signal: stopping.signal,
  }).catch(async (error: unknown) => {
    if (stopping.signal.aborted) return;
    await listener.close();
    throw new DatabaseError(error);
  });
  if (!stopping.signal.aborted) core.clicks.startDrain();
}

process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"));

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
