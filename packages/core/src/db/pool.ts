import { Socket } from "node:net";
import pg, { type Pool } from "pg";
import { PrimaryClient } from "./client.ts";
import { endConnections } from "./connection.ts";

/** date, timestamp, timestamptz: the ORM parses their text itself. */
const dateTypes = [1082, 1114, 1184];

export interface PoolOptions {
  /** Maximum number of connections */
  size: number;
  /** Milliseconds after which PostgreSQL cancels a statement (57014); 0: no limit */
  statementMs?: number;
  /**
   * Milliseconds without traffic after which a connection is considered lost and its caller gets ETIMEDOUT; 0: never.
   * Longer than any statement, and than any pause between statements.
   */
  silenceMs?: number;
}

/**
 * Opens a pool, whose connections open on demand, to the primary if the URL names several hosts. Dates are read as text.
 * The caller ends the pool.
 */
export function openPool(
  databaseUrl: string,
  { size, statementMs = 30_000, silenceMs = statementMs && statementMs + 60_000 }: PoolOptions,
): Pool {
  const types = new pg.TypeOverrides();
  for (const oid of dateTypes) types.setTypeParser(oid, (text: string) => text);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    // A host that is gone is detected within half a minute, a network that drops everything after `silenceMs`.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socketWith(silenceMs),
    types,
    Client: PrimaryClient as never,
  });
  // A lost connection makes the pending query fail; without these listeners Node would exit.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function socketWith(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    const message = `The database has been silent for ${silenceMs / 1000} s`;
    socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
  });
}

/** Runs work that has no time limit, such as a migration, on two separate connections. */
export async function withDedicatedPool<T>(
  databaseUrl: string,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const pool = openPool(databaseUrl, { size: 2, statementMs: 0 });
  try {
    return await work(pool);
  } finally {
    await endConnections(pool);
  }
}
