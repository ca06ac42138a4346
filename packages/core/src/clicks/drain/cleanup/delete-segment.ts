import { readdir, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pool } from "pg";
import { syncFolder } from "../../../kernel/sync-folder.ts";
import { ifMissing, type Segment } from "../../log/segments.ts";

/** Ending of a segment's file when all of it is counted, until its position is deleted. */
const ending = ".done";

/**
 * Deletes a segment and its position. The file is renamed first: if there is neither a position nor a file, the segment
 * was counted; after a crash in between, the renamed file shows what is left to do.
 */
export async function deleteSegment(pool: Pool, segment: Pick<Segment, "id" | "path">): Promise<void> {
  const done = segment.path + ending;
  await rename(segment.path, done).catch((error: unknown) => ifMissing(error, undefined));
  // Otherwise the old name could return after a power failure, and its clicks would be counted twice.
  await syncFolder(dirname(segment.path));
  await deletePosition(pool, segment.id, done);
}

/** Finishes deletions that a crash interrupted. */
export async function finishDeletions(pool: Pool, folder: string): Promise<void> {
  for (const file of await readdir(folder).catch((error: unknown) => ifMissing(error, []))) {
    if (file.endsWith(ending))
      await deletePosition(pool, file.slice(0, file.indexOf(".")), join(folder, file));
  }
}

async function deletePosition(pool: Pool, id: string, done: string): Promise<void> {
  await finishPosition(pool, id);
  await unlink(done).catch((error: unknown) => ifMissing(error, undefined));
}

/** Deletes positions that were only marked before `time`. */
export async function deleteFinishedPositions(pool: Pool, time: Date): Promise<void> {
  await pool.query("delete from click_segments where finished_at < $1", [time]);
}

/** Deletes a position; where a click stream is used, which may have entries of the segment, it is only marked. */
export async function finishPosition(pool: Pool, id: string): Promise<void> {
  await pool.query({
    name: "finish-segment",
    text: `with marked as (
             update click_segments set finished_at = now()
             where id = $1 and exists (select from click_stream where holder is not null) returning id
           )
           delete from click_segments where id = $1 and not exists (select from marked)`,
    values: [id],
  });
}
