import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** A connection for several statements. */
export interface Connection {
  database: PoolClient;
  /** Undoes what is not committed; a connection that cannot even do that is thrown away when it is given back. */
  rollback(): Promise<void>;
  release(): void;
}

/** Takes a connection from the pool until it is given back. */
export async function acquireConnection(pool: Pool): Promise<Connection> {
  const database = await pool.connect();
  let broken: Error | undefined;
  // A connection that ends between two statements says so here, and nowhere else.
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

/** Waits for what ends something, but no longer than this: a server that has gone silent never answers a goodbye. */
export async function waitAtMost(ms: number, ended: Promise<unknown>): Promise<void> {
  await Promise.race([ended.catch(() => {}), sleep(ms, undefined, { ref: false })]);
}

/** Ends a connection or a pool of them, and waits for a silent server no longer than a second. */
export const endConnections = (connections: { end(): Promise<void> }): Promise<void> =>
  waitAtMost(1000, connections.end());
