import type { Pool, PoolClient } from "pg";

/** A connection on which all statements see the database of one moment. */
export interface Snapshot {
  database: PoolClient;
  /** Gives the connection back. Again does nothing. */
  close(): Promise<void>;
}

/** Compiled expressions (`jit`) are off, since they take longer than our statements run. */
const begin = "begin isolation level repeatable read, read only; set local jit = off";

export async function openSnapshot(pool: Pool): Promise<Snapshot> {
  const database = await pool.connect();
  let broken: Error | undefined;
  // A connection that ends between two statements says so here, and nowhere else.
  const onError = (error: Error) => {
    broken = error;
  };
  database.on("error", onError);
  let closed: Promise<void> | undefined;
  const end = async () => {
    await database.query("rollback").catch(onError);
    database.off("error", onError);
    database.release(broken);
  };
  const close = () => (closed ??= end());
  try {
    await database.query(begin);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, close };
}

/** Reads with several statements as if with one. */
export async function inSnapshot<T>(pool: Pool, read: (database: PoolClient) => Promise<T>): Promise<T> {
  const { database, close } = await openSnapshot(pool);
  try {
    return await read(database);
  } finally {
    await close();
  }
}
