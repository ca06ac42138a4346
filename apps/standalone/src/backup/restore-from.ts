import { restoreBackup, verifyBackup } from "@terse/core/backup";
import { clickLogOf } from "@terse/redirect";
import { databaseError, printable, type Settings } from "@terse/server";
import { openCore } from "../core.ts";
import type { Database } from "../database.ts";
import { explain } from "../explain.ts";
import type { OpenedDatabase } from "../run-admin.ts";
import { explained } from "./explained.ts";
import { differences } from "./kept-settings.ts";
import { withProgress } from "./progress.ts";
import { secondsSince, summaryOf } from "./summary.ts";

interface Target extends OpenedDatabase {
  force: boolean;
}

/** Replaces the contents of a database by a backup, and migrates it to this version. */
export async function restoreFrom(file: string, { settings, database, interrupt, force }: Target) {
  const start = performance.now();
  const { manifest } = await withProgress((onProgress) =>
    restoreBackup({
      databaseUrl: database.url,
      clickLogFolder: clickLogOf(settings).folder,
      file,
      force,
      onProgress,
      signal: interrupt,
    }),
  ).catch(explained({ file, description: database.description }));
  await migrate(settings, database);
  return {
    file,
    database: database.description,
    ...summaryOf(manifest),
    settings_differ: differences(manifest.settings, settings),
    seconds: secondsSince(start),
  };
}

async function migrate(settings: Settings, database: Database): Promise<void> {
  const core = await openCore(settings, database);
  try {
    await core.migrate();
  } catch (error) {
    throw databaseError(database.description, error);
  } finally {
    await core.close();
  }
}

/** Prints a backup's contents, without a database. */
export async function checkFile(file: string): Promise<void> {
  const start = performance.now();
  try {
    const manifest = await withProgress((onProgress) => verifyBackup(file, onProgress)).catch(
      explained({ file }),
    );
    const answer = { file, ...summaryOf(manifest), seconds: secondsSince(start) };
    process.stdout.write(`${printable(JSON.stringify(answer))}\n`);
  } catch (error) {
    process.stderr.write(`${printable(explain(error))}\n`);
    process.exitCode = 1;
  }
}
