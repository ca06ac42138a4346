import type { Pool } from "pg";
import { acquireConnection } from "../db/connection.ts";
import { withDedicatedPool } from "../db/pool.ts";

/** The last migration; a test compares it with the list. */
export const lastMigration = "0025-operators";

/** Any 64-bit number, the same for every node of a service. */
const migrationLock = 7_215_083_004;

const undefinedTable = "42P01";

/**
 * Migrates the database to this version's schema. Safe on several nodes at once: they queue at an advisory lock. Loads the
 * ORM only if there is something to do, because a process that only redirects does not need it otherwise.
 */
export async function migrate(databaseUrl: string, pool: Pool): Promise<void> {
  if (await isUpToDate(pool)) return;
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

async function isUpToDate(pool: Pool): Promise<boolean> {
  try {
    const { rowCount } = await pool.query("select from migrations where name = $1", [lastMigration]);
    return rowCount === 1;
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return false;
    throw error;
  }
}
