import { issue } from "../../kernel/issues.ts";
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { PoolClient } from "pg";
import {
  isRestoring,
  noteRestore,
  placeRestored,
  restoringFile,
} from "../../clicks/drain/cleanup/segment-files.ts";
import type { Database } from "../../db/statements.ts";
import { syncFolder } from "../../kernel/async/watched-file.ts";
import { AppError, refusal } from "../../kernel/errors.ts";
import { migrationLock } from "../../schema/migrate.ts";
import { migrationsOf } from "./catalog.ts";
import { namesOf } from "./checksums.ts";
import { loadContents } from "./load.ts";
import {
  type Checksums,
  type Contents,
  type OnProgress,
  requireKnown,
  type SegmentContent,
} from "./manifest.ts";
import { inSession, lastingAnswer, requireAlone } from "./session.ts";

interface Target {
  databaseUrl: string;
  /** The click log's folder; null if the clicks in the log are there already */
  folder: string | null;
  /** Whether the database's contents are replaced */
  force?: boolean | undefined;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

/** The restored contents, as read back from the database. */
export interface Restored extends Checksums {
  /** Clicks in the click log, which are counted after the next start */
  clicksInLog: number;
}

/**
 * Replaces the contents of an unused database, in one transaction: if anything fails, or the process is killed, the database is unchanged. Processes that start in the meantime wait as for a migration.
 * @throws {AppError} if the database is in use or has data, or if the contents are of a version that this one does not know
 */
export async function restore(
  contents: Contents,
  { databaseUrl, folder, force = false, onProgress = () => {}, signal }: Target,
): Promise<Restored> {
  requireKnown(contents.migrations);
  return inSession(databaseUrl, signal, async (database) => {
    await takeDatabase(database);
    await database.query("begin");
    // After `begin`: from here on, a failure leaves everything unchanged.
    if (!force) await requireEmpty(database);
    const checksums = await loadContents(database, databaseUrl, contents, onProgress);
    const segments = folder === null ? null : await prepareSegments(folder, contents.segments());
    await segments?.note(database).catch(async (error: unknown) => {
      await segments.remove();
      throw error;
    });
    // If this fails, the database may or may not have committed: the note shows which later, and the segments stay until then.
    await database.query("commit").catch((cause: unknown) => {
      throw new AppError("SERVICE_UNAVAILABLE", issue("", "interrupted", interrupted), { cause });
    });
    await segments?.place(database);
    onProgress({ step: "statistics for the query planner", bytes: 0 });
    await database.query(`analyze ${namesOf(contents.tables.map(({ name }) => name))}`);
    return { ...checksums, clicksInLog: segments?.clicks ?? 0 };
  });
}

const interrupted =
  "The connection was lost at the last step, and the database has either what the backup has, or what it had before: restore the backup again, with --force if it has data";

/** Also keeps every process of the service that starts from using the database, until the session ends. */
async function takeDatabase(database: PoolClient): Promise<void> {
  const lock = "select pg_try_advisory_lock($1) as free";
  const taken = await lastingAnswer(async () => {
    const { rows } = await database.query<{ free: boolean }>(lock, [migrationLock]);
    return rows[0]?.free === true ? null : "taken";
  });
  if (taken !== null) {
    throw refusal(
      "CONFLICT",
      "",
      "database_in_use",
      "The database is being migrated, copied or restored: try again when that is done",
    );
  }
  await requireAlone(database);
}

async function requireEmpty(database: PoolClient): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm')
       and relnamespace = current_schema()::regnamespace and not relispartition`,
  );
  const names = new Set(rows.map(({ name }) => name));
  if (names.size === 0) return;
  if ((await migrationsOf(database)).length === 0) throw hasData("tables of another program");
  for (const name of ["workspaces", "users", "links"].filter((each) => names.has(each))) {
    const { rows: found } = await database.query<{ count: string }>(`select count(*) from ${name}`);
    if (Number(found[0]?.count) > 0) throw hasData(`${found[0]?.count} ${name}`);
  }
}

const hasData = (what: string) =>
  refusal(
    "CONFLICT",
    "",
    "database_not_empty",
    `The database has data already (${what}): --force deletes all of it and restores the backup`,
    { data: what },
  );

/** A counted segment whose deletion began. */
const isDeleted = (file: string) => file.endsWith(".done");

/** Written segments that nothing counts before `place`, or before the drain finds the note in the database. */
interface PreparedSegments {
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
  const restoreId = randomUUID();
  const written: string[] = [];
  const remove = async () => {
    for (const path of written) await rm(path, { force: true });
  };
  let clicks = 0;
  try {
    for await (const segment of segments) {
      clicks += segment.clicks;
      const local = present.filter((file) => file.startsWith(`${segment.id}.`) && !isRestoring(file));
      // A counted file that is about to be deleted has nothing that the backup lacks.
      const [deleted, kept] = [local.filter(isDeleted), local.filter((file) => !isDeleted(file))];
      for (const file of kept) await complete(join(folder, file), segment);
      if (kept.length > 0) continue;
      for (const file of deleted) await rm(join(folder, file), { force: true });
      const path = join(folder, restoringFile(segment.id, restoreId));
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
      if (written.length > 0) await noteRestore(database, restoreId);
    },
    async place(database) {
      await placeRestored(database, folder);
      // Those of restores before this one, whose database was replaced.
      for (const file of present.filter(isRestoring)) await rm(join(folder, file), { force: true });
    },
    remove,
  };
}

/** Counted parts stay a hole. The old time shows that no process writes the file. */
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
