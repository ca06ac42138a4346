import type { Pool } from "pg";
import { acquireConnection } from "../db/connection.ts";
import { refuseTransactionPooling } from "../db/pooler.ts";
import { withDedicatedPool } from "../db/pool.ts";

/** The last migration and how many there are; a test compares them with the list. */
export const lastMigration = "0039-limit-reached";
export const migrationCount = 35;

/** Any 64-bit number, the same for every node of a service. Held by who migrates, shared by who copies the database. */
export const migrationLock = 7_215_083_004;

const undefinedTable = "42P01";

/**
 * Migrates the database to this version's schema. Safe on several nodes at once: they queue at an advisory lock. Loads the
 * ORM only if there is something to do, because a process that only redirects does not need it otherwise.
 */
export async function migrate(databaseUrl: string, pool: Pool): Promise<void> {
  const [isCurrent] = await Promise.all([isUpToDate(pool), refuseTransactionPooling(databaseUrl)]);
  if (isCurrent) return;
  const { createOrm } = await import("./orm.ts");
  await withDedicatedPool(databaseUrl, async (own) => {
    const { database, release } = await acquireConnection(own);
    try {
      await database.query("select pg_advisory_lock($1)", [migrationLock]);
      await createOrm(databaseUrl, own).migrator.up();
    } finally {
      await database.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
      release();
    }
  });
}

/** Whether the database has the tables of this version. */
export async function isUpToDate(pool: Pick<Pool, "query">): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ count: number; last: boolean | null }>(
      "select count(*)::int as count, bool_or(name = $1) as last from migrations",
      [lastMigration],
    );
    // A newer version, running at the same time, may have added others.
    return rows[0]?.last === true && rows[0].count >= migrationCount;
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return false;
    throw error;
  }
}
