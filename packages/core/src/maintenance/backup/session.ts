import type { PoolClient } from "pg";
import { endConnections } from "../../db/connection.ts";
import { openPool } from "../../db/pool.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { refusal } from "../../kernel/errors.ts";

/** Runs work without a time limit on a connection of its own, which ends with it, or when `signal` is aborted. */
export async function inSession<T>(
  databaseUrl: string,
  signal: AbortSignal | undefined,
  work: (database: PoolClient) => Promise<T>,
): Promise<T> {
  const pool = openPool(databaseUrl, { size: 1, statementMs: 0 });
  try {
    const database = await pool.connect();
    let isOpen = true;
    const end = () => {
      if (isOpen) database.release(true);
      isOpen = false;
    };
    signal?.addEventListener("abort", end, { once: true });
    try {
      signal?.throwIfAborted();
      return await work(database);
    } finally {
      signal?.removeEventListener("abort", end);
      end();
    }
  } finally {
    await endConnections(pool);
  }
}

const attempts = 20;
const pauseMs = 100;

/**
 * Asks until the answer is null, for two seconds: a connection that has just ended is listed, and has its locks, for a moment.
 * Returns the last answer.
 */
export async function lastingAnswer<T>(ask: () => Promise<T | null>): Promise<T | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask();
    if (answer === null || attempt === attempts) return answer;
    await sleep(pauseMs);
  }
}

/** @throws {AppError} if another program is connected to the database, as every node of a running service is */
export async function requireAlone(database: PoolClient): Promise<void> {
  const names = await lastingAnswer(() => otherPrograms(database));
  if (names === null) return;
  throw refusal(
    "CONFLICT",
    "",
    "database_in_use",
    `Other programs are connected to the database (${names}): stop every node of the service first`,
    { programs: names },
  );
}

async function otherPrograms(database: PoolClient): Promise<string | null> {
  const { rows } = await database.query<{ names: string | null }>(
    `select string_agg(distinct coalesce(nullif(application_name, ''), 'without a name'), ', ') as names
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return rows[0]?.names ?? null;
}
