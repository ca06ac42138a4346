import { Socket } from "node:net";
import pg, { type Pool } from "pg";
import { endConnections } from "./connection.ts";

/** date, timestamp, timestamptz: the ORM makes its own dates of their text. */
const dateTypes = [1082, 1114, 1184];

export interface PoolOptions {
  /** Most connections at once */
  size: number;
  /** How long the database works on a statement before it refuses it with 57014, in milliseconds; 0: for ever */
  statementMs?: number;
  /**
   * A connection on which nothing has come or gone for so many milliseconds has lost its server, and whoever waits there
   * gets ETIMEDOUT; 0: never. It is more than a statement may take, and than anybody keeps a connection without one.
   */
  silenceMs?: number;
}

/** Connections to the database, opened as they are needed. Dates are read as text. Whoever opens the pool ends it. */
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
    // A host that is gone is noticed within half a minute, a network that swallows everything after `silenceMs`.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => socketWith(silenceMs),
    types,
  });
  // Who is asking hears of a lost connection by the question failing; without listeners Node would exit.
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

/** Two connections for work that takes as long as it takes, such as a migration. */
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
