import { type FileHandle, open } from "node:fs/promises";
import pg, { type Pool, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Counted, nothingCounted, positionsOf, uncountedIn } from "../../clicks/drain/positions.ts";
import { ifMissing, listSegments, readFrom } from "../../clicks/log/segments.ts";
import { acquireConnection, endConnections } from "../../db/connection.ts";
import { openPool } from "../../db/pool.ts";
import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";
import { migrationLock } from "../../schema/migrate.ts";
import { migrationsOf, tablesOf } from "./catalog.ts";
import { checksumsOf, namesOf, plainValues } from "./checksums.ts";
import {
  type Contents,
  type OnProgress,
  type SegmentContent,
  type TableShape,
  withProgress,
} from "./manifest.ts";

interface OpenContents extends Contents {
  /** Ends the connections and closes the files. */
  close(): Promise<void>;
}

/**
 * Opens the contents of a database as they are now, while it is in use, and the clicks in the log of this machine that are not
 * counted in them: every click that was answered is in exactly one of the two. `folder` is the click log's; null copies none.
 */
export async function openRunningService(
  databaseUrl: string,
  folder: string | null,
  onProgress: OnProgress = () => {},
): Promise<OpenContents> {
  const pool = openPool(databaseUrl, { size: 2, statementMs: 0 });
  const parts: OpenPart[] = [];
  let opened: PoolClient | undefined;
  const close = async () => {
    // A copy that was given up is still running on it, so that it takes no other statement.
    opened?.release(true);
    await Promise.all(parts.map((part) => part.close()));
    await endConnections(pool);
  };
  try {
    const database = await pool.connect();
    opened = database;
    // A migration would wait for the tables that are being copied, and everything else would wait behind it.
    await database.query("select pg_advisory_lock_shared($1)", [migrationLock]);
    const migrations = await migrationsOf(database);
    if (migrations.length === 0)
      throw refusal("NOT_FOUND", "", "not_found", "The database is empty: there is nothing to copy", {
        resource: "tables",
      });
    const tables = await whileCountingWaits(pool, async () => {
      await database.query(`begin isolation level repeatable read, read only; ${plainValues}`);
      const all = await tablesOf(database);
      if (folder !== null) await openClickLogParts(database, folder, parts);
      return all;
    });
    // So that no month of clicks is dropped before it is copied.
    await database.query(`lock table ${namesOf(tables.map(({ name }) => name))} in access share mode`);
    return {
      migrations,
      tables,
      async *segments() {
        for (const part of parts) yield await part.read();
      },
      rows: () => rowsOf(database, tables, onProgress),
      checksums: () => checksumsOf(database, tables, onProgress),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* rowsOf(database: PoolClient, tables: readonly TableShape[], onProgress: OnProgress) {
  for (const table of tables) {
    const { name, columns } = table;
    const stream = database.query(
      copyTo(`copy ${pg.escapeIdentifier(name)} (${namesOf(columns)}) to stdout`),
    );
    yield { table, rows: withProgress(stream, name, onProgress) };
  }
}

/** The uncounted part of a segment when it was opened. */
interface OpenPart {
  read(): Promise<SegmentContent>;
  close(): Promise<void>;
}

/**
 * Opens the parts of the click log that the snapshot of `database` does not count, and adds them to `parts`. Call it while
 * counting waits: the files stay readable when they are counted and deleted later, and what is appended later is left out.
 */
async function openClickLogParts(database: Database, folder: string, parts: OpenPart[]): Promise<void> {
  const segments = await listSegments(folder);
  const positions = await positionsOf(
    database,
    segments.map(({ id }) => id),
  );
  for (const { id, path, bytes } of segments) {
    // A file that is gone was renamed, because all of it is counted.
    const file = await open(path).catch((error: unknown) => ifMissing(error, undefined));
    if (file) parts.push(partOf(file, { id, counted: positions.get(id) ?? nothingCounted, to: bytes }));
  }
}

function partOf(
  file: FileHandle,
  { id, counted, to }: { id: string; counted: Counted; to: number },
): OpenPart {
  const { from } = counted;
  return {
    async read() {
      const bytes = await readFrom(file, Buffer.alloc(Math.max(0, to - from)), from);
      // A writer may have been in the middle of its last frame, whose clicks were not answered yet.
      const { clicks, end } = uncountedIn(bytes, counted);
      return { id, from, clicks, bytes: bytes.subarray(0, end) };
    },
    close: () => file.close(),
  };
}

/**
 * Runs `work` while no process counts clicks of the log: between two batches, for as long as it takes to open a
 * snapshot. Clicks answered in the meantime wait in the log.
 */
async function whileCountingWaits<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const { database, rollback, release } = await acquireConnection(pool);
  try {
    await database.query("begin; set local lock_timeout = '60s'");
    // The drain writes a segment's position in each of its transactions, and deletes it after the segment.
    await database.query("lock table click_segments in share mode");
    return await work();
  } finally {
    await rollback();
    release();
  }
}
