import type { Pool, PoolClient } from "pg";
import { acquireConnection } from "./connection.ts";

/** Commits where `work` answers true; otherwise, and where it throws, nothing was done. */
export async function inTransaction(
  pool: Pool,
  work: (database: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  const { database, rollback, release } = await acquireConnection(pool);
  try {
    await database.query("begin");
    const done = await work(database);
    await database.query(done ? "commit" : "rollback");
    return done;
  } catch (error) {
    await rollback();
    throw error;
  } finally {
    release();
  }
}
