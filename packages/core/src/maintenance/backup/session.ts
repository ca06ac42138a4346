import type { PoolClient } from "pg";
import { endConnections } from "../../db/connection.ts";
import { openPool } from "../../db/pool.ts";

/** Runs work without a time limit on a connection of its own, which ends with it, or when `signal` is aborted. */
export async function inSession<T>(
  databaseUrl: string,
  signal: AbortSignal,
  work: (database: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = openPool(databaseUrl, { size: 1, statementMs: 0 });
  try {
    const database = await pool.connect();
    let isOpen = true;
    const end = () => {
      if (isOpen) database.release(true);
      isOpen = false;
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      signal.throwIfAborted();
      return await work(database);
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  } finally {
    await endConnections(pool);
  }
}
