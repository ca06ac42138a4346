import { statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@terse/server";

const fileIn = (dataDir: string) => join(dataDir, "last-backup.json");

/** Notes in the data folder that a backup was made, for the metric of its age. A failure does not make the backup fail. */
export async function noteBackup(dataDir: string, made: { file: string; bytes: number }): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(fileIn(dataDir), `${JSON.stringify(made)}\n`, { mode: 0o644 });
  } catch (error) {
    process.stderr.write(
      `The backup is complete, but terse_last_backup_timestamp_seconds was not updated: ${reasonOf(error)}\n`,
    );
  }
}

/** When the last backup was made, in seconds since the epoch; null if none is known. */
export function lastBackupAt(dataDir: string): number | null {
  const found = statSync(fileIn(dataDir), { throwIfNoEntry: false });
  return found ? found.mtimeMs / 1000 : null;
}
