import { open, readdir, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pool } from "pg";
import { gone, type Segment } from "../../log/index.ts";

/** Of the file of a segment that is counted to its end, until its position is forgotten. */
const ending = ".done";

/**
 * Deletes a segment and what is remembered of it. The file gets another name first: whoever finds no position and no
 * file knows that all of it has been counted, and a crash in between leaves a file that tells what is left to do.
 */
export async function deleteSegment(pool: Pool, segment: Segment): Promise<void> {
  const done = segment.path + ending;
  await rename(segment.path, done).catch((error: unknown) => gone(error, undefined));
  await syncFolder(dirname(segment.path));
  await forget(pool, segment.id, done);
}

/** Ends what a crash interrupted. */
export async function finishDeletions(pool: Pool, folder: string): Promise<void> {
  for (const file of await readdir(folder).catch((error: unknown) => gone(error, []))) {
    if (file.endsWith(ending)) await forget(pool, file.slice(0, file.indexOf(".")), join(folder, file));
  }
}

async function forget(pool: Pool, id: string, done: string): Promise<void> {
  await pool.query("delete from click_segments where id = $1", [id]);
  await unlink(done).catch((error: unknown) => gone(error, undefined));
}

/** Without it the old name may come back after a power cut, and its clicks with it. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
