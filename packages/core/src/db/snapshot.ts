import type { Pool, PoolClient } from "pg";
import { acquireConnection } from "./connection.ts";

/** A connection on which all statements see the same snapshot. */
export interface Snapshot {
  database: PoolClient;
  /** Releases the connection. Does nothing if it was called before. */
  close(): Promise<void>;
}

/** `jit` is off: compiling takes longer than these statements run. */
const begin = "begin isolation level repeatable read, read only; set local jit = off";

/** Opens a snapshot on a connection of the pool, which it holds until it is closed. */
export async function openSnapshot(pool: Pool): Promise<Snapshot> {
  const { database, rollback, release } = await acquireConnection(pool);
  let closed: Promise<void> | undefined;
  const end = async () => {
    await rollback();
    release();
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

/** Runs several reads in one snapshot. */
export async function inSnapshot<T>(pool: Pool, read: (database: PoolClient) => Promise<T>): Promise<T> {
  const { database, close } = await openSnapshot(pool);
  try {
    return await read(database);
  } finally {
    await close();
  }
}
