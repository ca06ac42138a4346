import type { Pool, PoolClient } from "pg";
import { acquireConnection } from "./connection.ts";

/** Commits if `work` returns true; rolls back otherwise, and if it throws. */
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
