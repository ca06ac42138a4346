import { clickLogOf, countAndClose } from "@terse/redirect";
import {
  createNodeLogger,
  logEvent,
  type Logger,
  version,
  createNode,
  eventLog,
  isTextLog,
  measurements,
  migrateDatabase,
  type Node,
  noTelemetry,
  serveAdmin,
  startTelemetry,
  type Settings,
  reportStalls,
} from "@terse/server";
import { addressRows, banner, credentialRows, fieldsOf, laterRows, type Row } from "./banner.ts";
import { lastBackupAt } from "./backup/last-backup.ts";
import { openCore } from "./core.ts";
import { openDatabase } from "./database.ts";
import { createOwner, exampleEmail } from "./first-start.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { closeAll, openAll, tryPorts } from "./listeners.ts";
import { recordService } from "./service-record.ts";
import { signInLines } from "./login-link.ts";
import type { StartOptions } from "./options.ts";
import { ownerKeyFile, readOwnerKey, storeOwnerKey } from "./owner-key.ts";

/**
 * Starts the service; `lifecycle` can stop it at any time, even during the start. If the database of DATABASE_URL is
 * unreachable, the service answers 503 and this resolves once the database is available. `explain` prints its errors.
 * Returns what a signal needs to begin the stop.
 */
export async function startService(
  settings: Settings,
  lifecycle: Lifecycle,
  { showKey }: StartOptions,
): Promise<{ node: Node; logger: Logger }> {
  const isText = isTextLog(settings.LOG_FORMAT);
  const telemetry = await lifecycle.add(
    () => startTelemetry(settings),
    (started) => started.close(),
  );
  const logger = createNodeLogger(settings, telemetry);
  reportStalls(logger);
  let isOpen = false;
  await lifecycle.add(
    async () => {},
    async () => {
      if (isOpen) logEvent(logger, "stopped");
    },
  );
  // Before the database is created, which a start that fails would only leave behind.
  await tryPorts(settings);
  const database = await lifecycle.add(
    () =>
      openDatabase(
        settings,
        (message) => (isText ? void process.stdout.write(`${message} …\n`) : logger.info(message)),
        (message) => logger.warn(message),
      ),
    (opened) => opened.stop(),
  );
  const core = await lifecycle.add(
    () =>
      openCore(settings, database, {
        clickLog: clickLogOf(settings),
        onEvent: eventLog(logger),
        tracer: telemetry.tracer,
      }),
    countAndClose,
  );
  core.meter.read("terse_last_backup_timestamp_seconds", () => lastBackupAt(settings.DATA_DIR));
  const node = createNode();
  node.add({ checks: () => core.state.checks(), metrics: measurements(core) });
  core.state.watch({ willDrain: true });
  await lifecycle.add(
    () => serveAdmin({ settings, node, logger }),
    (listener) => listener.close(),
  );
  const migration = await migrateDatabase(core, database.description, { logger, signal: lifecycle.signal });
  const [api] = await lifecycle.add(
    () => openAll({ core, settings, databaseUrl: database.url, logger, node }),
    closeAll,
  );
  node.opened();
  isOpen = true;
  await lifecycle.add(
    () => recordService(settings),
    (remove) => remove(),
  );
  const facts = { settings, database: database.description, apiUrl: api?.url ?? settings.BASE_URL };
  // Its own logger: a sign-in link must not reach a collector, and LOG_LEVEL=warn must not hide it.
  const local = createNodeLogger({ ...settings, LOG_LEVEL: "info" }, noTelemetry);
  const show = (text: string, rows: readonly Row[]) => {
    if (isText) process.stdout.write(text);
    else logEvent(local, "banner", fieldsOf(rows));
  };
  if (migration.isWaiting) {
    const waiting = addressRows({ ...facts, database: `${database.description}, waiting for it` });
    show(banner(waiting), waiting);
    await migration.done;
    logEvent(logger, "database_available");
  }

  core.clicks.startDrain();
  core.domains.startChecks();
  core.chores.start();
  core.mails.start();
  core.webhooks.start();
  core.health.start();
  core.jobs.start();
  core.clickhouse?.start();
  // Last, because there is no other first start: one that fails earlier must not create the owner.
  const created = await createOwner(core);
  if (created) await storeOwnerKey(settings.DATA_DIR, created.key);
  const key = await readOwnerKey(settings.DATA_DIR);
  const credentials = {
    key: key === null ? null : { file: ownerKeyFile(settings.DATA_DIR), shown: showKey ? key : null },
    isFirstStart: created !== null,
    email: await exampleEmail(core),
    signIn: await signInLines(core, settings),
  };
  const later = credentialRows(facts, credentials);
  const rows = [...addressRows(facts), ...later];
  show(migration.isWaiting ? laterRows(later) : banner(rows), rows);
  const { HOST, HTTP_PORT, REDIRECT_PORT, MCP_PORT, ADMIN_PORT } = settings;
  logEvent(logger, "started", {
    version,
    runtime: process.version,
    listening: `${HOST}, ports ${[HTTP_PORT, REDIRECT_PORT, MCP_PORT, ADMIN_PORT].join(", ")}`,
  });
  return { node, logger };
}
