import { createHash } from "node:crypto";
import { lchown, lstat, mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canReach } from "./account.ts";
import { role } from "./cluster.ts";
import { unless } from "./errors.ts";
import type { Home } from "./home.ts";

/** The port names the socket's file; nothing listens on a network. */
export const socketPort = 5432;

/** Bytes that a socket's path may have on every system (Linux 107, macOS 103). */
const longestPath = 103;

/** The socket's file in its folder. */
export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

/** The URL of a database behind the socket; the folder stands in the host's place, as libpq and MikroORM read it. */
export function socketUrl(folder: string, database: string): string {
  return `postgresql://${role}@${encodeURIComponent(folder)}:${socketPort}/${encodeURIComponent(database)}`;
}

/**
 * Makes the folder for the server's socket: short, the same at every start of this home, and closed to everyone
 * but the server's user.
 * @throws when no temporary folder will do
 */
export async function openSocketFolder(home: Home): Promise<string> {
  const name = `terse-${createHash("sha256").update(home.path).digest("hex").slice(0, 12)}`;
  for (const base of new Set([tmpdir(), "/tmp"])) {
    if (Buffer.byteLength(socketFile(join(base, `${name}-`))) > longestPath) continue;
    const folder = await unless(makeFolder(base, name, home), "ENOENT", "EACCES", "EROFS");
    if (folder && (!home.account || canReach(home.account, folder))) return folder;
  }
  throw new Error(
    "PostgreSQL needs a short temporary folder for its socket: set TMPDIR to one that its user can enter.",
  );
}

/** Removes what a server left of its socket. Meant for stopped servers only. */
export async function removeSocket(folder: string): Promise<void> {
  await rm(socketFile(folder), { force: true });
  await rm(`${socketFile(folder)}.lock`, { force: true });
  // A folder that the server's user chose by hand, such as /tmp, stays.
  await rmdir(folder).catch(() => undefined);
}

async function makeFolder(base: string, name: string, home: Home): Promise<string> {
  let folder = join(base, name);
  await unless(mkdir(folder, { mode: 0o700 }), "EEXIST");
  // Anyone may have taken the name first in a public folder: then an unpredictable one serves.
  if (!(await isOurs(folder, home))) folder = await mkdtemp(`${folder}-`);
  if (home.account) await lchown(folder, home.account.uid, home.account.gid);
  return folder;
}

async function isOurs(folder: string, home: Home): Promise<boolean> {
  const found = await lstat(folder);
  const ours = [process.getuid?.(), home.account?.uid].includes(found.uid);
  return ours && found.isDirectory() && (found.mode & 0o077) === 0;
}
