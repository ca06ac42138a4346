import type { Pool } from "pg";
import { acquireConnection } from "../../db/connection.ts";

/**
 * Runs `work` while no process counts clicks of the log: between two batches, for as long as it takes to open a snapshot. Clicks
 * that are answered meanwhile wait in the log.
 */
export async function whileCountingWaits<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const { database, rollback, release } = await acquireConnection(pool);
  try {
    await database.query("begin; set local lock_timeout = '60s'");
    // The drain writes a segment's position in each of its transactions, and deletes it after the segment.
    await database.query("lock table click_segments in share mode");
    return await work();
  } finally {
    await rollback();
    release();
  }
}
