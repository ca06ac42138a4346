import { readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pool } from "pg";
import { withConnection } from "../../../db/connection.ts";
import type { Database } from "../../../db/statements.ts";
import { coreEvent, type CoreEvent } from "../../../kernel/events.ts";
import { syncFolder } from "../../../kernel/async/watched-file.ts";
import { ending, segmentFile } from "../../log/segment-name.ts";
import { exists, ifMissing, type Segment } from "../../log/segments.ts";
import { finishPosition, positionsOf } from "../positions.ts";
import { watchReplicas } from "./replication.ts";

/** A counted segment is named `{id}.{position}.counted`, with the position up to which it was counted. */
const keptName = /^([^.]+)\.(\d+)\.counted$/;

interface Kept {
  id: string;
  position: number;
  path: string;
}

interface KeptSegments {
  /** Call it when the database has said that a pending segment, still named `.clicks`, is counted up to `position`. */
  counted(id: string, position: number): void;
  /** Call it when a segment is counted up to `position`, and nothing follows: keeps its file, or deletes it. */
  keep(segment: Segment, position: number): Promise<void>;
  /**
   * Compares what this node has counted with the database. If the database has gone back in time, the segments in question
   * become pending again, and `onLost` is called with the id of each. Segments that were kept long enough are deleted. Throws if
   * the database is unreachable; nothing is deleted then.
   */
  check(onLost: (id: string) => void): Promise<void>;
}

interface KeptSegmentsOptions {
  pool: Pool;
  folder: string;
  /** Milliseconds for which a segment is kept after it was counted; 0: not at all */
  keepMs: number;
  onEvent: (event: CoreEvent) => void;
}

/**
 * Keeps counted segments until their counts are safe: the database may lose its last transactions when a lagging
 * replica is promoted or a backup is restored. Their positions in the database show which ones it has lost.
 */
export function keepSegments({ pool, folder, keepMs, onEvent }: KeptSegmentsOptions): KeptSegments {
  const pathOf = (id: string) => join(folder, id + ending);
  const replicasOf = watchReplicas();
  /** By path: a position in the write-ahead log (LSN) after everything that counted the segment */
  const walAfterCount = new Map<string, bigint>();
  /** Offsets in pending segments that the database has confirmed. No failure clears them: they show what it lost. */
  const confirmedPositions = new Map<string, number>();
  /** Segments whose position became smaller between two checks */
  const rewound = new Set<string>();

  /** Where segments are counted, and how far the replicas are, both from one server. */
  const ask = (ids: readonly string[]) =>
    withConnection(pool, async (database) => {
      return { positions: await positionsOf(database, ids), replicas: await replicasOf(database) };
    });

  async function deleteIfSafe(segment: Kept, replicatedTo: bigint | null): Promise<void> {
    const { path } = segment;
    const file = await stat(path).catch((error: unknown) => ifMissing(error, undefined));
    const written = walAfterCount.get(path);
    const isReplicated = replicatedTo !== null && written !== undefined && written <= replicatedTo;
    if (file === undefined || (!isReplicated && Date.now() - file.mtimeMs < keepMs)) return;
    await deleteSegment(pool, segment);
    walAfterCount.delete(path);
  }

  return {
    counted(id, position) {
      if (position < (confirmedPositions.get(id) ?? 0)) rewound.add(id);
      confirmedPositions.set(id, position);
    },

    async keep(segment, position) {
      confirmedPositions.delete(segment.id);
      // The database has nothing of it.
      if (keepMs === 0 || position === 0) return deleteSegment(pool, segment);
      const now = new Date();
      const kept = join(dirname(segment.path), `${segment.id}.${position}.counted`);
      await utimes(segment.path, now, now).catch((error: unknown) => ifMissing(error, undefined));
      await moved(segment.path, kept);
    },

    async check(onLost) {
      const kept = (await filesNamed(folder, keptName)).map(({ path, parts: [id = "", position] }): Kept => {
        return { id, position: Number(position), path };
      });
      for (const path of walAfterCount.keys())
        if (!kept.some((each) => each.path === path)) walAfterCount.delete(path);
      if (kept.length === 0 && confirmedPositions.size === 0) return;
      const listed = [...confirmedPositions.keys()];
      const { positions, replicas } = await ask([...kept.map(({ id }) => id), ...listed]);
      const positionOf = (id: string) => positions.get(id)?.from ?? 0;
      const lost = kept.filter(({ id, position }) => positionOf(id) < position);
      let again = rewound.size;
      rewound.clear();
      for (const { id, path } of lost) {
        walAfterCount.delete(path);
        if (await moved(path, pathOf(id))) again += 1;
        onLost(id);
      }
      if (again > 0) await syncFolder(folder);
      for (const [id, position] of confirmedPositions) {
        if (positionOf(id) >= position) continue;
        confirmedPositions.delete(id);
        onLost(id);
        // Another drain deletes the file before the position.
        if (await exists(pathOf(id))) again += 1;
      }
      if (again > 0) onEvent(coreEvent("clicks_counted_again", { segments: again }));
      for (const segment of kept) {
        if (lost.includes(segment)) continue;
        await deleteIfSafe(segment, replicas?.confirmed ?? null);
        if (replicas && !walAfterCount.has(segment.path)) walAfterCount.set(segment.path, replicas.written);
      }
    },
  };
}

/** The files of a folder whose names match, with what the groups matched. A missing folder has none. */
async function filesNamed(folder: string, name: RegExp): Promise<{ path: string; parts: string[] }[]> {
  const files = await readdir(folder).catch((error: unknown) => ifMissing(error, []));
  return files.flatMap((file) => {
    const found = name.exec(file);
    return found === null ? [] : { path: join(folder, file), parts: found.slice(1) };
  });
}

/** Renames a file; returns false if another process was faster. */
const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: unknown) => ifMissing(error, false),
  );

/** The file of a completely counted segment, until its position is deleted. */
const doneName = /^([^.]+)\..*\.done$/;

/**
 * Deletes a segment and its position. The file is renamed first: if there is neither a position nor a file, the segment
 * was counted; after a crash in between, the renamed file shows what is left to do.
 */
async function deleteSegment(pool: Pool, segment: Pick<Segment, "id" | "path">): Promise<void> {
  const done = `${segment.path}.done`;
  await moved(segment.path, done);
  // Otherwise the old name could return after a power failure, and its clicks would be counted twice.
  await syncFolder(dirname(segment.path));
  await deletePosition(pool, segment.id, done);
}

/** Finishes deletions that a crash interrupted. */
export async function finishDeletions(pool: Pool, folder: string): Promise<void> {
  for (const { path, parts } of await filesNamed(folder, doneName))
    await deletePosition(pool, parts[0] ?? "", path);
}

async function deletePosition(pool: Pool, id: string, done: string): Promise<void> {
  await finishPosition(pool, id);
  await unlink(done).catch((error: unknown) => ifMissing(error, undefined));
}

/**
 * A restore writes segments under names that nothing reads, commits the database with a row that names the restore, and only
 * then gives them the names of segments. Whatever ends it in between, the row tells later whether they belong to the database.
 */
const restoringName = /^([^.]+)\.([0-9a-f-]{36})\.restoring$/;

/** The file name of a segment while it is restored; `restore` is the restore's UUID. */
export const restoringFile = (id: string, restore: string): string => `${id}.${restore}.restoring`;
/** Whether a file is of a restore that is not finished. */
export const isRestoring = (file: string): boolean => restoringName.test(file);

/** Marks a restore as committed, in the transaction that restores the database: a row of `click_segments` with its UUID. */
export async function noteRestore(database: Database, restore: string): Promise<void> {
  await database.query("insert into click_segments (id, position) values ($1, 0)", [restore]);
}

/** Gives the segments of committed restores their names. Returns how many there were; repeating it does nothing. */
export async function placeRestored(database: Database, folder: string): Promise<number> {
  const found = await filesNamed(folder, restoringName);
  if (found.length === 0) return 0;
  const { rows } = await database.query<{ id: string }>("select id from click_segments where id = any($1)", [
    [...new Set(found.map(({ parts }) => parts[1]))],
  ]);
  const committed = new Set(rows.map(({ id }) => id));
  const ours = found.filter(({ parts: [, restore = ""] }) => committed.has(restore));
  for (const { path, parts } of ours) await moved(path, join(folder, segmentFile(parts[0] ?? "")));
  await syncFolder(folder);
  await database.query("delete from click_segments where id = any($1)", [[...committed]]);
  return ours.length;
}
