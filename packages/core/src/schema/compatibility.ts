import { isMissingTable } from "../db/errors.ts";
import type { Pool } from "pg";
import type { Database } from "../db/statements.ts";

/** For a database that was made by a development version, before the first release. */
export const unreleasedSchema = () =>
  new Error(
    "it was made by a development version of Terse, before the first release, and cannot be migrated: export the links with that version (GET /v1/links/export), and import them into an empty database (POST /v1/imports)",
  );

/**
 * A newer version has migrated the database to `newest`; this one knows the migrations up to `known`.
 * @throws {Error} unless the newer version recorded that this one can run on its schema; the message says what to do
 */
export async function requireCompatible(
  pool: Pick<Pool, "query">,
  newest: string,
  known: string,
): Promise<void> {
  const { rowCount } = await rowsOrNone(
    pool.query("select from schema_compatibility where oldest <= $1 and newest >= $2", [known, newest]),
  );
  if (rowCount !== 0) return;
  throw new Error(
    `it was migrated by a newer version of Terse (to ${newest}; this version knows ${known}), which this version cannot run beside: start the newer version, or restore a backup from before its upgrade`,
  );
}

/** Records that programs can run on the schema of `newest` if they know the migration `oldest`. */
export async function recordCompatibility(database: Database, oldest: string, newest: string): Promise<void> {
  await rowsOrNone(
    database.query(
      `insert into schema_compatibility (oldest, newest) values ($1, $2)
       on conflict (one) do update set oldest = greatest(schema_compatibility.oldest, excluded.oldest), newest = excluded.newest
       where schema_compatibility.newest < excluded.newest`,
      [oldest, newest],
    ),
  );
}

/** No rows if the table does not exist yet. */
export async function rowsOrNone<T extends { rows: unknown[]; rowCount: number | null }>(
  result: Promise<T>,
): Promise<T> {
  return result.catch((error: unknown) => {
    if (!isMissingTable(error)) throw error;
    return { rows: [], rowCount: 0 } as unknown as T;
  });
}
