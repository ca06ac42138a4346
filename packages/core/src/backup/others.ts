import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { AppError } from "../kernel/errors.ts";

/** A connection that has just ended is listed for a moment. */
const attempts = 20;
const pauseMs = 100;

/** @throws {AppError} if another program is connected to the database, as every node of a running service is */
export async function refuseOthers(database: PoolClient): Promise<void> {
  let names = await others(database);
  for (let attempt = 1; names !== null && attempt < attempts; attempt++) {
    await sleep(pauseMs);
    names = await others(database);
  }
  if (names === null) return;
  throw new AppError(
    "CONFLICT",
    `Other programs are connected to the database (${names}): stop every node of the service first`,
  );
}

async function others(database: PoolClient): Promise<string | null> {
  const { rows } = await database.query<{ names: string | null }>(
    `select string_agg(distinct coalesce(nullif(application_name, ''), 'without a name'), ', ') as names
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return rows[0]?.names ?? null;
}
