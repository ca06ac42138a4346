import { createHash } from "node:crypto";
import { lchown, lstat, mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canReach } from "./account.ts";
import { unless } from "./errors.ts";
import type { Home } from "./home.ts";

/** The port is only part of the socket's file name; nothing listens on a network. */
export const socketPort = 5432;

/** Maximum length of a socket's path in bytes on all systems (Linux 107, macOS 103). */
const maxPathLength = 103;

/** Returns the path of the socket in its folder. */
export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

/** Returns the URL of a database on the socket, as a role; the folder is in the place of the host, as in libpq. */
export function socketUrl(folder: string, database: string, role: string): string {
  return `postgresql://${role}@${encodeURIComponent(folder)}:${socketPort}/${encodeURIComponent(database)}`;
}

/**
 * Creates the folder of the server's socket: with a short path, the same at every start of this home, and accessible
 * only to the server's user.
 * @throws if no temporary folder is usable
 */
export async function openSocketFolder(home: Home): Promise<string> {
  const name = `terse-${createHash("sha256").update(home.path).digest("hex").slice(0, 12)}`;
  for (const base of new Set([tmpdir(), "/tmp"])) {
    if (Buffer.byteLength(socketFile(join(base, `${name}-`))) > maxPathLength) continue;
    const folder = await unless(makeFolder(base, name, home), "ENOENT", "EACCES", "EROFS");
    if (folder && (!home.account || canReach(home.account, folder))) return folder;
  }
  throw new Error(
    "PostgreSQL needs a short temporary folder for its socket: set TMPDIR to one that its user can enter.",
  );
}

/** Removes the socket of a stopped server. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(socketFile(folder), { force: true });
  await rm(`${socketFile(folder)}.lock`, { force: true });
  // A folder that is not ours or not empty, such as /tmp, stays.
  await rmdir(folder).catch(() => undefined);
}

async function makeFolder(base: string, name: string, home: Home): Promise<string> {
  let folder = join(base, name);
  await unless(mkdir(folder, { mode: 0o700 }), "EEXIST");
  // In a public folder anyone may have taken the name first; then use an unpredictable one.
  if (!(await isOurs(folder, home))) folder = await mkdtemp(`${folder}-`);
  if (home.account) await lchown(folder, home.account.uid, home.account.gid);
  return folder;
}

async function isOurs(folder: string, home: Home): Promise<boolean> {
  const found = await lstat(folder);
  const ours = [process.getuid?.(), home.account?.uid].includes(found.uid);
  return ours && found.isDirectory() && (found.mode & 0o077) === 0;
}
