import pg from "pg";
import type { Database } from "../../db/statements.ts";
import type { TableProof, TableShape } from "./manifest.ts";

/** Values are written alike by every server. */
export const plainValues = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
  set local jit = off; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

export const namesOf = (columns: readonly string[]): string =>
  columns.map((column) => pg.escapeIdentifier(column)).join();

/**
 * Counts a table's rows and adds up a hash of each. The hash is PostgreSQL's own, which is the same in all versions on
 * machines of the same byte order; elsewhere a comparison fails and nothing worse happens.
 */
export async function proofOf(database: Database, { name, columns }: TableShape): Promise<TableProof> {
  const { rows } = await database.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row(${namesOf(columns)})::text, 0)::numeric), 0) as checksum
     from ${pg.escapeIdentifier(name)}`,
  );
  return { rows: Number(rows[0]?.rows), checksum: String(rows[0]?.checksum) };
}

/** The sum of what the links count, in decimal. */
export async function clickCountOf(database: Database): Promise<string> {
  const { rows } = await database.query<{ sum: string }>(
    "select coalesce(sum(click_count), 0)::text as sum from links",
  );
  return rows[0]?.sum ?? "0";
}
