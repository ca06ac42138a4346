import { connect } from "node:net";
import { once } from "node:events";
import pg, { type Pool } from "pg";
import { isDatabaseUnavailable, ReadOnlyError } from "./errors.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { PrimaryClient } from "./client.ts";

const greetingMs = 2000;

/** Asks for TLS, which every PostgreSQL server answers with one byte (PostgreSQL 18, 54.2.10), then ends two lines for others. */
const greeting = Buffer.concat([Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]), Buffer.from("\r\n\r\n")]);
const sslAnswers = new Set(["S", "N", "E"]);

/**
 * Says in one line why a service cannot start on this database. @throws for a standby, which may be promoted, as for
 * an unavailable database; for anything but PostgreSQL, as for a wrong setting
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
  // Without a cause, which would be mistaken for an unavailable database.
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
    const [answer] = await once(socket, "data", { signal: AbortSignal.timeout(greetingMs) });
    return !sslAnswers.has((answer as Buffer).toString("latin1", 0, 1));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A server that does not answer in time reveals nothing about its pooler. */
const poolerMs = 2000;

/** A connection pooler gives a session another server for each transaction. The message says what to do. */
export class PoolerError extends Error {
  override readonly name = "PoolerError";
}

const notSession =
  "a connection pooler in front of it works in transaction mode, without LISTEN, prepared statements and session locks: connect to PostgreSQL directly, or let the pooler work in session mode (PgBouncer: pool_mode = session)";

/** The message of PgBouncer and others about a parameter they cannot pass on. */
const unsupported = /^unsupported startup parameter/;

/**
 * Refuses a pooler that does not give a session a server of its own. Two sessions show it: the second one gets the server
 * process of the first, or the first another one while the second is in a transaction.
 * @throws {PoolerError} for such a pooler; other errors if the database cannot be reached
 */
export async function assertNoTransactionPooling(databaseUrl: string): Promise<void> {
  const sessions = [connectionTo(databaseUrl), connectionTo(databaseUrl)] as const;
  const [first, second] = sessions;
  try {
    await Promise.all(sessions.map((session) => session.connect())).catch(explain);
    const before = await serverOf(first);
    await answered(second.query("begin")).catch(explain);
    const another = await serverOf(second);
    if (before !== null && before === another) throw new PoolerError(notSession);
    const after = await serverOf(first);
    if (before !== null && after !== null && before !== after) throw new PoolerError(notSession);
  } finally {
    for (const session of sessions) void session.end().catch(() => {});
  }
}

function connectionTo(databaseUrl: string): PrimaryClient {
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    // As in the pools, so that a pooler that refuses it does so here.
    statement_timeout: 30_000,
    query_timeout: poolerMs,
  });
  return client.on("error", () => {});
}

/** The process id of the session's server; null if it does not answer in time. */
async function serverOf(session: PrimaryClient): Promise<number | null> {
  const result = await answered(session.query<{ pid: number }>("select pg_backend_pid() as pid"));
  return result?.rows[0]?.pid ?? null;
}

/** A session of a full pooler waits for a server. */
const answered = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch((error: unknown) => {
    if (error instanceof Error && error.message === "Query read timeout") return null;
    throw error;
  });

function explain(error: unknown): never {
  const message = error instanceof Error ? error.message : "";
  if (unsupported.test(message))
    throw new PoolerError(`${message}: PgBouncer needs ignore_startup_parameters = statement_timeout`, {
      cause: error,
    });
  // Statement mode does not even allow a transaction.
  if (/statement pooling/.test(message)) throw new PoolerError(notSession, { cause: error });
  throw error;
}
