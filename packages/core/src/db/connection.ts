import type { Pool, PoolClient } from "pg";
import { waitAtMost } from "../kernel/async/waiting.ts";
import type { Em } from "./em.ts";
import { emOn } from "./statements.ts";

/** A connection for several statements. */
export interface Connection {
  database: PoolClient;
  /** Rolls back; a connection that cannot do that is destroyed on release. */
  rollback(): Promise<void>;
  release(): void;
}

/** Takes a connection from the pool until it is released. */
export async function acquireConnection(pool: Pool): Promise<Connection> {
  const database = await pool.connect();
  let broken: Error | undefined;
  // A connection that ends between two statements reports it only here.
  const onError = (error: Error) => {
    broken = error;
  };
  database.on("error", onError);
  return {
    database,
    async rollback() {
      await database.query("rollback").catch(onError);
    },
    release() {
      database.off("error", onError);
      database.release(broken);
    },
  };
}

/** Works on a connection of the pool. */
export async function withConnection<T>(pool: Pool, work: (database: PoolClient) => Promise<T>): Promise<T> {
  const { database, release } = await acquireConnection(pool);
  try {
    return await work(database);
  } finally {
    release();
  }
}

/** Ends a connection or a pool. Waits at most a second: a silent server never confirms the end. */
export const endConnections = (connections: { end(): Promise<void> }): Promise<void> =>
  waitAtMost(
    1000,
    connections.end().catch(() => {}),
  );

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

/** A procedure call, or anything else with an entity manager. */
interface WithEm {
  deps: { pool: Pool };
  em: Em;
}

/** Runs work in a transaction, and returns its result. Rolls back if it throws or returns false. */
export async function inTransaction<T>(pool: Pool, work: (database: PoolClient) => Promise<T>): Promise<T>;
/** The same for work with the ORM too, whose entity manager is on the same connection. */
export async function inTransaction<T>(
  call: WithEm,
  work: (database: PoolClient, em: Em) => Promise<T>,
): Promise<T>;
export async function inTransaction<T>(
  on: Pool | WithEm,
  work: (database: PoolClient, em: Em) => Promise<T>,
): Promise<T> {
  if ("em" in on)
    return inTransaction(on.deps.pool, async (database) => {
      const em = emOn(database, on.em);
      const result = await work(database, em);
      await em.flush();
      return result;
    });
  const { database, rollback, release } = await acquireConnection(on);
  try {
    return await transactionOn(database, () => work(database, undefined as never), rollback);
  } finally {
    release();
  }
}

/** The same on a connection that is already open. */
export async function transactionOn<T>(
  database: PoolClient,
  work: () => Promise<T>,
  rollback: () => Promise<unknown> = () => database.query("rollback").catch(() => {}),
): Promise<T> {
  try {
    await database.query("begin");
    const result = await work();
    await database.query(result === false ? "rollback" : "commit");
    return result;
  } catch (error) {
    await rollback();
    throw error;
  }
}
