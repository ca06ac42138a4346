/** @terse/core/backup: copies a service to a file, back, and to another database. */

import { contentsOfFile, verifyBackup } from "./read-file.ts";
import type { Manifest, OnProgress } from "./manifest.ts";
import { restore, type Restored } from "./restore.ts";
import { openRunningService } from "./running-service.ts";
import { inSession, requireAlone } from "./session.ts";
import { type Label, writeBackup } from "./write-file.ts";

export type { Manifest, OnProgress } from "./manifest.ts";
export { verifyBackup } from "./read-file.ts";
export type { Restored } from "./restore.ts";
export type { Label } from "./write-file.ts";

interface Options {
  onProgress?: OnProgress;
  signal?: AbortSignal;
}

export interface BackupOptions extends Options {
  databaseUrl: string;
  /** The click log's folder on this machine; null if there is none */
  clickLogFolder: string | null;
  /** Must not exist */
  file: string;
  label: Label;
}

/**
 * Writes everything that a service has stored to a file, while it runs: one snapshot of the database, and the clicks of this
 * machine's click log that are not counted in it. Returns the file's contents and length.
 * @throws {AppError} if the file exists
 */
export async function backup({
  databaseUrl,
  clickLogFolder,
  file,
  label,
  onProgress,
  signal,
}: BackupOptions): Promise<Manifest & { file_bytes: number }> {
  const contents = await openRunningService(databaseUrl, clickLogFolder, onProgress);
  try {
    return await writeBackup(contents, file, label, signal);
  } finally {
    await contents.close();
  }
}

export interface RestoreOptions extends Options {
  databaseUrl: string;
  /** The click log's folder on this machine */
  clickLogFolder: string;
  file: string;
  /** Replaces the database's contents; without it, only a database without accounts and links is accepted */
  force?: boolean;
}

/**
 * Replaces a database's contents with a backup, in one transaction, and puts uncounted clicks into the click log. The file is read twice: nothing changes before it has proven complete. Call `core.migrate()` next.
 * @throws {AppError} if the file is not a whole backup or of a newer version, or if the database has data or is in use
 */
export async function restoreBackup({
  clickLogFolder: folder,
  file,
  ...target
}: RestoreOptions): Promise<{ manifest: Manifest; restored: Restored }> {
  const manifest = await verifyBackup(file, target.onProgress);
  const contents = contentsOfFile(file, manifest, target.onProgress);
  return { manifest, restored: await restore(contents, { ...target, folder }) };
}

export interface MoveOptions extends Options {
  from: string;
  to: string;
  force?: boolean;
}

/**
 * Copies an unused database to another one, whose contents it replaces. Positions in the click log are copied too, so the
 * click log stays where it is.
 * @throws {AppError} as `restoreBackup`; also if a program has connected to the first database since, and may have changed it
 */
export async function moveDatabase({ from, to, ...options }: MoveOptions): Promise<Restored> {
  const requireUnused = () => inSession(from, options.signal, requireAlone);
  await requireUnused();
  const contents = await openRunningService(from, null, options.onProgress);
  let moved: Restored;
  try {
    moved = await restore(contents, { databaseUrl: to, folder: null, ...options });
  } finally {
    await contents.close();
  }
  await requireUnused();
  return moved;
}
