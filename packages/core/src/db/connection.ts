import type { Pool, PoolClient } from "pg";
import { waitAtMost } from "../kernel/async/waiting.ts";

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

/** Ends a connection or a pool. Waits at most a second: a silent server never confirms the end. */
export const endConnections = (connections: { end(): Promise<void> }): Promise<void> =>
  waitAtMost(
    1000,
    connections.end().catch(() => {}),
  );
