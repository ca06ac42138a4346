import type { Base } from "../db/base.ts";
import type { Pool, PoolClient } from "pg";
import { withLock } from "../db/lease.ts";
import { refuseTransactionPooling } from "../db/pooler.ts";
import { withDedicatedPool } from "../db/pool.ts";
import { demandCompatible, orNone, recordCompatibility } from "./compatibility.ts";
import { runMigrations } from "./run-migrations.ts";

/** The last migration and how many there are; a test compares them with the list. */
export const lastMigration = "0068-qr-looks";
export const migrationCount = 58;

/**
 * A program can run on this version's schema if it knows this migration: the last one that took something away that programs
 * without it use. Raise it only for a migration that contracts, a release after nothing uses any more what it removes.
 */
const oldestProgram = "0033-webhooks-and-health";

/** Any 64-bit number, the same for every node of a service. A migration holds it; copies of the database share it. */
export const migrationLock = 7_215_083_004;

/**
 * Migrates the database to this version's schema. Safe on several nodes at once: they queue at an advisory lock. Loads the
 * ORM only if there is something to do, because a process that only redirects does not need it otherwise.
 * @throws {PoolerError} for a pooler in transaction mode; {NewerSchemaError} if a newer version has migrated the database
 */
export async function migrate({
  databaseUrl,
  pool,
  onEvent,
}: Pick<Base, "databaseUrl" | "pool" | "onEvent">): Promise<void> {
  const [isCurrent] = await Promise.all([isUpToDate(pool), refuseTransactionPooling(databaseUrl)]);
  if (isCurrent) return;
  const { createOrm } = await import("./orm.ts");
  await withDedicatedPool(databaseUrl, async (own) => {
    const run = async (database: PoolClient) => {
      // Before, so that the previous version can be started meanwhile; after, because the table may be new.
      await recordCompatibility(database, oldestProgram, lastMigration);
      await runMigrations(createOrm(databaseUrl, own), own, onEvent);
      await recordCompatibility(database, oldestProgram, lastMigration);
    };
    await withLock(own, migrationLock, run, { wait: true });
  });
}

/**
 * Whether the database has the tables of this version.
 * @throws {NewerSchemaError} if a newer version has changed the schema so that this one must not run on it
 */
export async function isUpToDate(pool: Pick<Pool, "query">): Promise<boolean> {
  const { rows } = await orNone(
    pool.query<{ count: number; last: boolean | null; newer: string | null }>(
      `select count(*) filter (where name <= $1)::int as count, bool_or(name = $1) as last,
         max(name) filter (where name > $1) as newer
       from migrations`,
      [lastMigration],
    ),
  );
  const [found] = rows;
  if (found === undefined) return false;
  if (found.newer !== null) await demandCompatible(pool, found.newer, lastMigration);
  return found.last === true && found.count >= migrationCount;
}
