import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { mkdir, open, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

const pathIn = (folder: string) => join(folder, "reserve");
const pieceBytes = 1_048_576;
/** The reserve never takes more than this share of the free space. */
const maxShare = 0.1;

/**
 * Makes sure that a file in the click log's folder holds `bytes` of the disk, for what is in memory when the process stops on
 * a full disk. All processes of a folder share it. Without room, or if the disk fails, there is no reserve.
 */
export async function ensureReserve(folder: string, bytes: number): Promise<void> {
  const path = pathIn(folder);
  const part = `${path}.${process.pid}`;
  try {
    if (await stat(path).catch(() => undefined)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize * maxShare < bytes) return;
    const file = await open(part, "w", 0o600);
    try {
      // A file system that compresses would keep nothing free for zeros.
      for (let at = 0; at < bytes; at += pieceBytes)
        await file.write(randomBytes(Math.min(pieceBytes, bytes - at)));
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => {});
  }
}

/** Frees the space that the reserve holds. Returns false if there was none. */
export function releaseReserve(folder: string): boolean {
  try {
    unlinkSync(pathIn(folder));
    return true;
  } catch {
    return false;
  }
}
