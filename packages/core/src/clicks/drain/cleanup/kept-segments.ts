import { readdir, rename, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pool } from "pg";
import { acquireConnection } from "../../../db/connection.ts";
import { type CoreEvent, coreEvent } from "../../../kernel/events.ts";
import { ending } from "../../log/name.ts";
import { exists, ifMissing, type Segment } from "../../log/segments.ts";
import { syncFolder } from "../../../kernel/sync-folder.ts";
import { nothingCounted, positionsOf } from "../positions.ts";
import { deleteSegment } from "./delete-segment.ts";
import { watchReplicas } from "./replication.ts";

/** A counted segment is named `{id}.{position}.counted`, with the position up to which it was counted. */
const keptName = /^([^.]+)\.(\d+)\.counted$/;

interface Kept {
  id: string;
  position: number;
  path: string;
}

export interface KeptSegments {
  /** Call it when the database has said that a listed segment is counted up to `position`. */
  counted(id: string, position: number): void;
  /** Call it when a segment is counted up to `position`, and nothing follows: keeps its file, or deletes it. */
  keep(segment: Segment, position: number): Promise<void>;
  /**
   * Compares what this node has counted with the database. If the database has gone back in time, the segments in question
   * are listed again, and `onLost` is called with the id of each. Segments that were kept long enough are deleted. Throws if
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
 * Keeps counted segments until what counted them is safe: the database may lose its last transactions when a replica that
 * lagged is promoted, or a backup is restored. Their positions, which are in the database, tell which ones it has lost.
 */
export function keepSegments({ pool, folder, keepMs, onEvent }: KeptSegmentsOptions): KeptSegments {
  const pathOf = (id: string) => join(folder, id + ending);
  const replicasOf = watchReplicas();
  /** By path: a position in the write-ahead log after everything that counted the segment */
  const writtenAt = new Map<string, bigint>();
  /** The positions of listed segments that the database has confirmed. No failure clears them: they show what it lost. */
  const confirmedPositions = new Map<string, number>();
  /** Segments whose position became smaller between two checks */
  const rewound = new Set<string>();

  async function list(): Promise<Kept[]> {
    const files = await readdir(folder).catch((error: unknown) => ifMissing(error, []));
    return files.flatMap((file) => {
      const [, id, position] = keptName.exec(file) ?? [];
      return id === undefined ? [] : { id, position: Number(position), path: join(folder, file) };
    });
  }

  /** What the database has, and how far its replicas are, both from one server. */
  async function ask(ids: readonly string[]) {
    const { database, release } = await acquireConnection(pool);
    try {
      const counted = await positionsOf(database, ids);
      return {
        positionOf: (id: string) => (counted.get(id) ?? nothingCounted).from,
        replicas: await replicasOf(database),
      };
    } finally {
      release();
    }
  }

  async function deleteIfSafe(segment: Kept, confirmed: bigint | null): Promise<void> {
    const { path } = segment;
    const file = await stat(path).catch((error: unknown) => ifMissing(error, undefined));
    const written = writtenAt.get(path);
    const isConfirmed = confirmed !== null && written !== undefined && written <= confirmed;
    if (file === undefined || (!isConfirmed && Date.now() - file.mtimeMs < keepMs)) return;
    await deleteSegment(pool, segment);
    writtenAt.delete(path);
  }

  return {
    counted(id, position) {
      if (position < (confirmedPositions.get(id) ?? 0)) rewound.add(id);
      confirmedPositions.set(id, position);
    },

    async keep(segment, position) {
      confirmedPositions.delete(segment.id);
      // Nothing of it is in the database.
      if (keepMs === 0 || position === 0) return deleteSegment(pool, segment);
      const now = new Date();
      const kept = join(dirname(segment.path), `${segment.id}.${position}.counted`);
      await utimes(segment.path, now, now).catch((error: unknown) => ifMissing(error, undefined));
      await moved(segment.path, kept);
    },

    async check(onLost) {
      const kept = await list();
      for (const path of writtenAt.keys())
        if (!kept.some((each) => each.path === path)) writtenAt.delete(path);
      if (kept.length === 0 && confirmedPositions.size === 0) return;
      const listed = [...confirmedPositions.keys()];
      const { positionOf, replicas } = await ask([...kept.map(({ id }) => id), ...listed]);
      const lost = kept.filter(({ id, position }) => positionOf(id) < position);
      let again = rewound.size;
      rewound.clear();
      for (const { id, path } of lost) {
        writtenAt.delete(path);
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
        if (replicas && !writtenAt.has(segment.path)) writtenAt.set(segment.path, replicas.written);
      }
    },
  };
}

/** Renames a file; returns false if another process was faster. */
const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: unknown) => ifMissing(error, false),
  );
