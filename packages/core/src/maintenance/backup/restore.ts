import type { PoolClient } from "pg";
import { AppError } from "../../kernel/errors.ts";
import { migrationLock } from "../../schema/migrate.ts";
import { migrationsOf } from "./catalog.ts";
import type { Contents, OnProgress, Proof } from "./contents.ts";
import { loadContents } from "./load.ts";
import { type PreparedSegments, prepareSegments } from "./place-segments.ts";
import { refuseUnknown } from "./manifest.ts";
import { lastingAnswer, refuseOthers } from "./others.ts";
import { namesOf } from "./proof.ts";
import { inSession } from "./session.ts";

export interface Target {
  databaseUrl: string;
  /** The click log's folder; null if the clicks in the log are there already */
  folder: string | null;
  /** Whether what is in the database is replaced */
  force: boolean;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** What was restored, as read back from the database. */
export interface Restored extends Proof {
  /** Clicks in the click log, which are counted after the next start */
  clicksInLog: number;
}

/**
 * Replaces the contents of a database that nobody uses, in one transaction: if anything fails, or the process is killed, the
 * database has what it had. Processes that start meanwhile wait as for a migration.
 * @throws {AppError} if the database is in use or has data, or if the contents are of a version that this one does not know
 */
export async function restore(contents: Contents, target: Target): Promise<Restored> {
  refuseUnknown(contents.migrations);
  return inSession(target.databaseUrl, target.signal, async (database) => {
    await takeDatabase(database);
    await database.query("begin");
    // After `begin`: from here on, a failure leaves everything as it was.
    if (!target.force) await refuseData(database);
    const proof = await loadContents(database, target.databaseUrl, contents, target.onProgress);
    const segments =
      target.folder === null ? noSegments : await prepareSegments(target.folder, contents.segments());
    try {
      await segments.note(database);
    } catch (error) {
      await segments.remove();
      throw error;
    }
    // If this fails, the database may have committed or not: the note says later which, and the segments stay until then.
    await database.query("commit").catch((cause: unknown) => {
      throw new AppError("SERVICE_UNAVAILABLE", interrupted, { cause });
    });
    await segments.place(database);
    target.onProgress({ step: "statistics for the query planner", bytes: 0 });
    await database.query(`analyze ${namesOf(contents.tables.map(({ name }) => name))}`);
    return { ...proof, clicksInLog: segments.clicks };
  });
}

const interrupted =
  "The connection was lost at the last step, and the database has either what the backup has, or what it had before: restore the backup again, with --force if it has data";

const noSegments: PreparedSegments = {
  clicks: 0,
  note: async () => {},
  place: async () => {},
  remove: async () => {},
};

/** Also keeps every process of the service that starts from using the database, until the session ends. */
async function takeDatabase(database: PoolClient): Promise<void> {
  const lock = "select pg_try_advisory_lock($1) as free";
  const taken = await lastingAnswer(async () => {
    const { rows } = await database.query<{ free: boolean }>(lock, [migrationLock]);
    return rows[0]?.free === true ? null : "taken";
  });
  if (taken !== null) {
    throw new AppError(
      "CONFLICT",
      "The database is being migrated, copied or restored: try again when that is done",
    );
  }
  await refuseOthers(database);
}

async function refuseData(database: PoolClient): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm')
       and relnamespace = current_schema()::regnamespace and not relispartition`,
  );
  const names = new Set(rows.map(({ name }) => name));
  if (names.size === 0) return;
  if ((await migrationsOf(database)).length === 0) throw hasData("tables of another program");
  const counts = ["users", "links"].filter((name) => names.has(name));
  for (const name of counts) {
    const { rows: found } = await database.query<{ count: string }>(`select count(*) from ${name}`);
    if (Number(found[0]?.count) > 0) throw hasData(`${found[0]?.count} ${name}`);
  }
}

const hasData = (what: string) =>
  new AppError(
    "CONFLICT",
    `The database has data already (${what}): --force deletes all of it and restores the backup`,
  );
