import type { Pool, PoolClient } from "pg";
import { acquireConnection } from "./connection.ts";

/** A connection on which all statements see the database of one moment. */
export interface Snapshot {
  database: PoolClient;
  /** Gives the connection back. Again does nothing. */
  close(): Promise<void>;
}

/** Compiled expressions (`jit`) are off, since they take longer than our statements run. */
const begin = "begin isolation level repeatable read, read only; set local jit = off";

/** Takes a connection of the pool until the snapshot is closed. */
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

/** Reads with several statements as if with one. */
export async function inSnapshot<T>(pool: Pool, read: (database: PoolClient) => Promise<T>): Promise<T> {
  const { database, close } = await openSnapshot(pool);
  try {
    return await read(database);
  } finally {
    await close();
  }
}
