import { clickLogOf, countAndClose } from "@terse/redirect";
import { createLogger, eventLog, type Settings } from "@terse/server";
import { awaitDatabase } from "./await-database.ts";
import { banner, keyRows } from "./banner.ts";
import { openDatabase } from "./database.ts";
import { keyHolder, makeOwner } from "./first-start.ts";
import { closeAll, openAll } from "./listeners.ts";
import { waysIn } from "./login-link.ts";
import { LogOutput } from "./log-output.ts";
import { openCore } from "./open-core.ts";
import type { Lifecycle } from "./lifecycle.ts";

/**
 * Starts everything; `parts` stops it, also half-way. With DATABASE_URL's database away all of it is up but answers
 * 503, and this resolves when the database has come. Throws what `explain` puts into words.
 */
export async function startService(settings: Settings, parts: Lifecycle): Promise<void> {
  const output = new LogOutput();
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: output });
  const database = await parts.add(
    () =>
      openDatabase(
        settings,
        (message) => process.stdout.write(`${message} …\n`),
        (message) => logger.warn(message),
      ),
    (opened) => opened.stop(),
  );
  const core = await parts.add(
    () => openCore(settings, database, { clickLog: clickLogOf(settings), onEvent: eventLog(logger) }),
    countAndClose,
  );
  const { isAway, there } = await awaitDatabase(core, database, { logger, signal: parts.signal });
  const serving = { core, settings, databaseUrl: database.url, logger };
  const [api] = await parts.add(() => openAll(serving), closeAll);
  const facts = { settings, database: database.description, apiUrl: api?.url ?? settings.BASE_URL };
  if (isAway) {
    process.stdout.write(banner({ ...facts, database: `${database.description}, waiting for it` }));
    output.release();
    await there;
    logger.info("the database is there");
  }

  core.clicks.startDrain();
  core.domains.startChecks();
  // Only now: a start that fails before must not use up the one time that the key is shown.
  const key = await makeOwner(core);
  const holder = { key, email: await keyHolder(core), waysIn: await waysIn(core, settings) };
  if (!isAway) process.stdout.write(banner(facts, holder));
  else process.stdout.write(keyRows(facts, holder));
  output.release();
}
