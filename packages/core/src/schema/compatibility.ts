import { isMissingTable } from "../db/errors.ts";
import type { Pool } from "pg";
import type { Database } from "../db/statements.ts";

/** The database was migrated by a program that this one does not know. The message says which, and what to do. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";

  constructor(newest: string, known: string) {
    super(
      `it was migrated by a newer version of Terse (to ${newest}; this version knows ${known}), which this version cannot run beside: start the newer version, or restore a backup from before its upgrade`,
    );
  }
}

/** The database was made by a development version, before the first release. */
export class UnreleasedSchemaError extends Error {
  override readonly name = "UnreleasedSchemaError";

  constructor() {
    super(
      "it was made by a development version of Terse, before the first release, and cannot be migrated: export the links with that version (GET /v1/links/export), and import them into an empty database (POST /v1/imports)",
    );
  }
}

/**
 * A newer version has migrated the database to `newest`; this one knows the migrations up to `known`.
 * @throws {NewerSchemaError} unless the newer version recorded that this one can run on its schema
 */
export async function requireCompatible(
  pool: Pick<Pool, "query">,
  newest: string,
  known: string,
): Promise<void> {
  const { rowCount } = await rowsOrNone(
    pool.query("select from schema_compatibility where oldest <= $1 and newest >= $2", [known, newest]),
  );
  if (rowCount === 0) throw new NewerSchemaError(newest, known);
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
