import { mkdir, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../kernel/sync-folder.ts";
import { segmentEnding } from "../clicks/index.ts";
import type { SegmentContent } from "./contents.ts";

/** Ending of the files of a restore that is not complete. */
const unfinished = ".restoring";

/** A counted segment whose deletion began. */
const isDeleted = (file: string) => file.endsWith(".done");

/** Segments that are written, but which nothing counts before `place`. */
export interface PreparedSegments {
  /** Clicks in them */
  clicks: number;
  place(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Writes segments to the click log's folder, under names that nothing reads yet. A segment that is there already, because this
 * is the machine of the backup, has the same bytes at the same offsets and perhaps more: that one stays.
 */
export async function prepareSegments(
  folder: string,
  segments: AsyncIterable<SegmentContent>,
): Promise<PreparedSegments> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const present = await readdir(folder);
  for (const file of present) if (file.endsWith(unfinished)) await rm(join(folder, file), { force: true });
  const written: string[] = [];
  const remove = async () => {
    for (const id of written) await rm(join(folder, id + unfinished), { force: true });
  };
  let clicks = 0;
  try {
    for await (const segment of segments) {
      clicks += segment.clicks;
      const local = present.filter((file) => file.startsWith(`${segment.id}.`) && !file.endsWith(unfinished));
      // A file that was counted, and is about to be deleted, has none of what the backup lacks.
      const [deleted, kept] = [local.filter(isDeleted), local.filter((file) => !isDeleted(file))];
      if (kept.length > 0) continue;
      for (const file of deleted) await rm(join(folder, file), { force: true });
      await write(join(folder, segment.id + unfinished), segment);
      written.push(segment.id);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    clicks,
    async place() {
      for (const id of written) await rename(join(folder, id + unfinished), join(folder, id + segmentEnding));
      await syncFolder(folder);
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
