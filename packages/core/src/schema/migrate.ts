import type { Base } from "../db/base.ts";
import type { Pool, PoolClient } from "pg";
import { withLock } from "../db/lease.ts";
import { assertNoTransactionPooling } from "../db/check-database.ts";
import { withDedicatedPool } from "../db/pool.ts";
import { recordCompatibility, requireCompatible, rowsOrNone, unreleasedSchema } from "./compatibility.ts";
import type { NamedMigration } from "./locking.ts";
import { runMigrations } from "./run-migrations.ts";

/** The first and the last migration, and how many there are; a test compares them with the list. */
export const firstMigration = "0001-accounts";
export const lastMigration = "0018-deactivated";
export const migrationCount = 18;

/**
 * A program can run on this version's schema if it knows this migration: the last one that took something away that programs
 * without it use. Raise it only for a migration that contracts, a release after the last use of the removed parts.
 */
const requiredMigration = firstMigration;

/** Any 64-bit number, the same for every node of a service. A migration holds it; copies of the database share it. */
export const migrationLock = 7_215_083_004;

/** The schema that a program knows; a test has migrations of its own. */
export interface KnownSchema {
  last: string;
  count: number;
  requiredMigration: string;
  migrations(): Promise<readonly NamedMigration[]>;
}

const thisSchema: KnownSchema = {
  last: lastMigration,
  count: migrationCount,
  requiredMigration,
  migrations: async () => (await import("./migrations/migrations.ts")).migrations,
};

/**
 * Migrates the database to this version's schema. Safe on several nodes at once: they queue at an advisory lock. Loads the
 * ORM only if there is something to do, because a process that only redirects does not need it otherwise.
 * @throws {PoolerError} for a pooler in transaction mode; {Error} if a newer version has migrated the database, or if no
 *   released version has
 */
export async function migrate(
  { databaseUrl, pool, onEvent }: Pick<Base, "databaseUrl" | "pool" | "onEvent">,
  schema = thisSchema,
): Promise<void> {
  const [isCurrent] = await Promise.all([isUpToDate(pool, schema), assertNoTransactionPooling(databaseUrl)]);
  if (isCurrent) return;
  const [{ createOrm }, migrations] = await Promise.all([import("./orm.ts"), schema.migrations()]);
  await withDedicatedPool(databaseUrl, async (own) => {
    const run = async (database: PoolClient) => {
      const record = () => recordCompatibility(database, schema.requiredMigration, schema.last);
      // Before, so that the previous version can start in the meantime; after, because the table may be new.
      await record();
      await runMigrations(createOrm(databaseUrl, own, migrations), own, onEvent);
      await record();
    };
    await withLock(own, migrationLock, run, { wait: true });
  });
}

/**
 * Whether the database has the tables of this version.
 * @throws {Error} if a newer version has changed the schema so that this one must not run on it, or if no released version
 *   made it
 */
export async function isUpToDate(pool: Pick<Pool, "query">, schema = thisSchema): Promise<boolean> {
  const { rows } = await rowsOrNone(
    pool.query<{ count: number; first: string | null; last: boolean | null; newer: string | null }>(
      `select count(*) filter (where name <= $1)::int as count, min(name) as first, bool_or(name = $1) as last,
         max(name) filter (where name > $1) as newer
       from migrations`,
      [schema.last],
    ),
  );
  const [found] = rows;
  if (found === undefined) return false;
  if (found.first !== null && found.first !== firstMigration) throw unreleasedSchema();
  if (found.newer !== null) await requireCompatible(pool, found.newer, schema.last);
  return found.last === true && found.count >= schema.count;
}
