import { backup } from "@terse/core/backup";
import { clickLogOf } from "@terse/redirect";
import about from "../../package.json" with { type: "json" };
import type { OpenedDatabase } from "../run-admin.ts";
import { explained } from "./explained.ts";
import { noteBackup } from "./last-backup.ts";
import { keptSettings } from "./kept-settings.ts";
import { withProgress } from "./progress.ts";
import { secondsSince, summaryOf } from "./summary.ts";

/** Copies a running service to a new file. */
export async function backupTo(file: string, { settings, database, interrupt }: OpenedDatabase) {
  const start = performance.now();
  const made = await withProgress((onProgress) =>
    backup({
      databaseUrl: database.url,
      clickLogFolder: clickLogOf(settings).folder,
      file,
      label: { program: about.version, createdAt: new Date(), settings: keptSettings(settings) },
      onProgress,
      signal: interrupt,
    }),
  ).catch(explained({ file, description: database.description }));
  await noteBackup(settings.DATA_DIR, { file, bytes: made.file_bytes });
  return { file, bytes: made.file_bytes, ...summaryOf(made), seconds: secondsSince(start) };
}
