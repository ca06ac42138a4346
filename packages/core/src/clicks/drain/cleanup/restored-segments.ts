import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../db/statements.ts";
import { syncFolder } from "../../../kernel/sync-folder.ts";
import { ifMissing } from "../../log/segments.ts";
import { segmentFile } from "../../log/name.ts";

/**
 * A restore writes segments under names that nothing reads, commits the database with a row that names the restore, and only
 * then gives them the names of segments. Whatever ends it in between, the row tells later whether they belong to the database.
 */
const shape = /^([^.]+)\.([0-9a-f-]{36})\.restoring$/;

/** The file name of a segment while it is restored; `restore` is the restore's UUID. */
export const restoringFile = (id: string, restore: string): string => `${id}.${restore}.restoring`;
/** Whether a file is of a restore that is not finished. */
export const isRestoring = (file: string): boolean => shape.test(file);

/** Notes in the transaction that restores the database that segments belong to it. */
export async function noteRestore(database: Database, restore: string): Promise<void> {
  await database.query("insert into click_segments (id, position) values ($1, 0)", [restore]);
}

/** Gives the segments of restores that were committed their names. Returns how many those were; again, it does nothing. */
export async function placeRestored(database: Database, folder: string): Promise<number> {
  const files = await readdir(folder).catch((error: unknown) => ifMissing(error, []));
  const found = files.flatMap((file) => {
    const [, id, restore] = shape.exec(file) ?? [];
    return id === undefined || restore === undefined ? [] : { file, id, restore };
  });
  if (found.length === 0) return 0;
  const restores = [...new Set(found.map(({ restore }) => restore))];
  const { rows } = await database.query<{ id: string }>("select id from click_segments where id = any($1)", [
    restores,
  ]);
  const committed = new Set(rows.map(({ id }) => id));
  const ours = found.filter(({ restore }) => committed.has(restore));
  for (const { file, id } of ours)
    await rename(join(folder, file), join(folder, segmentFile(id))).catch((error: unknown) =>
      ifMissing(error, undefined),
    );
  await syncFolder(folder);
  await database.query("delete from click_segments where id = any($1)", [[...committed]]);
  return ours.length;
}
