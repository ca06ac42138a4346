import { connect } from "node:net";
import { once } from "node:events";
import pg, { type Pool } from "pg";
import { isDatabaseUnavailable, ReadOnlyError } from "./errors.ts";
import { parseDatabaseUrl } from "./database-url.ts";

const answerMs = 2000;

/** Asks for TLS, which every PostgreSQL server answers with one byte (PostgreSQL 18, 54.2.10), then ends two lines for others. */
const greeting = Buffer.concat([Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]), Buffer.from("\r\n\r\n")]);
const sslAnswers = new Set(["S", "N", "E"]);

/**
 * Says in one line why a service cannot start on this database.
 * @throws a standby, which may be promoted, as a database that is away; anything else than PostgreSQL as a wrong setting
 */
export async function checkDatabase(databaseUrl: string, pool: Pool): Promise<void> {
  let failure: unknown;
  try {
    const { rows } = await pool.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
    if (rows[0]?.standby !== true) return;
    failure = new ReadOnlyError("it is in recovery: a standby, which stores nothing until it is promoted");
  } catch (error) {
    failure = error;
  }
  const { hosts } = parseDatabaseUrl(databaseUrl);
  // Without a cause, which would be taken for a database that is away.
  if (hosts.length === 1 && isDatabaseUnavailable(failure) && (await isSomethingElse(hosts[0] ?? "")))
    throw new Error("what answers there is not PostgreSQL");
  throw failure;
}

/** Whether something answers at the URL's host and port, in another protocol. */
async function isSomethingElse(url: string): Promise<boolean> {
  const { host, port } = new pg.Client({ connectionString: url });
  const socket = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.on("error", () => {});
  socket.end(greeting);
  try {
    const [answer] = await once(socket, "data", { signal: AbortSignal.timeout(answerMs) });
    return !sslAnswers.has((answer as Buffer).toString("latin1", 0, 1));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
