import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import {
  isRestoring,
  noteRestore,
  placeRestored,
  restoringFile,
} from "../../clicks/drain/cleanup/segment-files.ts";
import type { Database } from "../../db/statements.ts";
import { syncFolder } from "../../kernel/async/watched-file.ts";
import type { SegmentContent } from "./contents.ts";

/** A counted segment whose deletion began. */
const isDeleted = (file: string) => file.endsWith(".done");

/** Segments that are written, but which nothing counts before `place`, or before the drain finds the note in the database. */
export interface PreparedSegments {
  /** Clicks in them */
  clicks: number;
  /** Call it in the transaction that restores the database. */
  note(database: Database): Promise<void>;
  /** Call it when that is committed. */
  place(database: Database): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Writes segments to the click log's folder, under names that nothing reads yet. A segment that is there already, because this
 * is the machine of the backup, has the same bytes at the same offsets and perhaps more: that one stays, and gets what it lacks.
 */
export async function prepareSegments(
  folder: string,
  segments: AsyncIterable<SegmentContent>,
): Promise<PreparedSegments> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const present = await readdir(folder);
  const restore = randomUUID();
  const written: string[] = [];
  const remove = async () => {
    for (const path of written) await rm(path, { force: true });
  };
  let clicks = 0;
  try {
    for await (const segment of segments) {
      clicks += segment.clicks;
      const local = present.filter((file) => file.startsWith(`${segment.id}.`) && !isRestoring(file));
      // A file that was counted, and is about to be deleted, has none of what the backup lacks.
      const [deleted, kept] = [local.filter(isDeleted), local.filter((file) => !isDeleted(file))];
      for (const file of kept) await complete(join(folder, file), segment);
      if (kept.length > 0) continue;
      for (const file of deleted) await rm(join(folder, file), { force: true });
      const path = join(folder, restoringFile(segment.id, restore));
      written.push(path);
      await write(path, segment);
    }
    // The names must outlast a power failure, as the note will.
    await syncFolder(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    clicks,
    note: async (database) => {
      if (written.length > 0) await noteRestore(database, restore);
    },
    async place(database) {
      await placeRestored(database, folder);
      // Those of restores before this one, whose database was replaced.
      for (const file of present.filter(isRestoring)) await rm(join(folder, file), { force: true });
    },
    remove,
  };
}

/** What was counted before stays a hole. The old time shows that no process writes it any more. */
async function write(path: string, { from, bytes }: SegmentContent): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.truncate(from);
    await file.write(bytes, 0, bytes.length, from);
    await file.sync();
  } finally {
    await file.close();
  }
  await utimes(path, 0, 0);
}

/** A segment lacks bytes if a later backup, which had fewer of them, was restored here before. */
async function complete(path: string, { from, bytes }: SegmentContent): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { atime, mtime } = await file.stat();
    await file.write(bytes, 0, bytes.length, from);
    await file.sync();
    await file.utimes(atime, mtime);
  } finally {
    await file.close();
  }
}
