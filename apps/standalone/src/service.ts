import { createLogger, type Settings } from "@terse/server";
import { banner } from "./banner.ts";
import { openDatabase } from "./database.ts";
import { keyHolder, makeOwner } from "./first-start.ts";
import { closeAll, listenAll, listenersOf } from "./listeners.ts";
import { LogOutput } from "./log-output.ts";
import { openCore } from "./open-core.ts";
import type { Parts } from "./parts.ts";

/** Starts everything in this process; `parts` stops it, also half-way. Throws what `explain` puts into words. */
export async function startService(settings: Settings, parts: Parts): Promise<void> {
  const database = await parts.add(
    () => openDatabase(settings, (message) => process.stdout.write(`${message} …\n`)),
    (opened) => opened.stop(),
  );
  const core = await parts.add(
    () => openCore(settings, database),
    (opened) => opened.close(),
  );
  const output = new LogOutput();
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: output });
  const [api] = await parts.add(() => listenAll(listenersOf({ core, settings, logger })), closeAll);

  // Only now: a start that fails before must not use up the one time that the key is shown.
  const key = await makeOwner(core);
  const email = await keyHolder(core);
  const apiUrl = api?.url ?? settings.BASE_URL;
  process.stdout.write(banner({ settings, database: database.description, apiUrl, key, email }));
  output.release();
}
