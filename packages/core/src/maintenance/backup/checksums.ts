import pg from "pg";
import type { Database } from "../../db/statements.ts";
import { sequencesOf } from "./catalog.ts";
import type { Checksums, OnProgress, TableChecksum, TableShape } from "./manifest.ts";

/** Values are written alike by every server. */
export const plainValues = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
  set local jit = off; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

export const namesOf = (columns: readonly string[]): string =>
  columns.map((column) => pg.escapeIdentifier(column)).join();

/** Reads all tables, and sums up what they contain. */
export async function checksumsOf(
  database: Database,
  tables: readonly TableShape[],
  onProgress: OnProgress,
): Promise<Checksums> {
  const checksums = new Map<string, TableChecksum>();
  for (const table of tables) {
    onProgress({ step: `counting ${table.name}`, bytes: 0 });
    checksums.set(table.name, await checksumOf(database, table));
  }
  const { rows } = await database.query<{ sum: string }>(
    "select coalesce(sum(click_count), 0)::text as sum from links",
  );
  return { tables: checksums, sequences: await sequencesOf(database), clickCount: rows[0]?.sum ?? "0" };
}

/**
 * Counts a table's rows and adds up a hash of each. The hash is PostgreSQL's own, which is the same in all versions on
 * machines of the same byte order; elsewhere a comparison fails and nothing worse happens.
 */
async function checksumOf(database: Database, { name, columns }: TableShape): Promise<TableChecksum> {
  const { rows } = await database.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row(${namesOf(columns)})::text, 0)::numeric), 0) as checksum
     from ${pg.escapeIdentifier(name)}`,
  );
  return { rows: Number(rows[0]?.rows), checksum: String(rows[0]?.checksum) };
}
