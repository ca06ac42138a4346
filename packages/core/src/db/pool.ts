import pg, { type Pool } from "pg";

/** date, timestamp, timestamptz: the ORM makes its own dates of their text. */
const dateTypes = [1082, 1114, 1184];

/** Connections to the database, opened as they are needed. Dates are read as text. Whoever opens the pool ends it. */
export function openPool(databaseUrl: string, size = 20): Pool {
  const types = new pg.TypeOverrides();
  for (const oid of dateTypes) types.setTypeParser(oid, (text: string) => text);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5000,
    types,
  });
  // Who is asking hears of a lost connection by the question failing; without listeners Node would exit.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
