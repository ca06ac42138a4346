import { createCore, whenDatabaseThere } from "@terse/core";
import { coreOptionsOf, createLogger, eventLog, ListenError, onShutdown, SettingsError } from "@terse/server";
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
  await whenDatabaseThere(() => core.migrate(), {
    onAway: (reason) => logger.warn({ err: reason }, "waiting for the database"),
    signal: stopping.signal,
  }).catch((error: unknown) => {
    if (!stopping.signal.aborted) fail(`The database (DATABASE_URL) cannot be used: ${messageOf(error)}`);
  });
}

process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"));

await main().catch((error: unknown) => {
  // What a person can mend is one line; the whole error where the fault is ours.
  const known = error instanceof SettingsError || error instanceof ListenError;
  fail(known || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message));
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
