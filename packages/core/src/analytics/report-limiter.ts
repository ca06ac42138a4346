import { isStatementTimeout } from "../db/errors.ts";
import type { Pool, PoolClient } from "pg";
import { limiterPerPool } from "../kernel/async/concurrency-limiter.ts";
import { inSnapshot } from "../db/connection.ts";
import { tooLong } from "./questions/source.ts";

/** A report can take seconds; half of the connections are kept for other requests. */
const reportLimiter = limiterPerPool("reports", 1 / 2);
/** One with a filter counts raw clicks, which keeps a core busy: of 20 connections three, and one for an account. */
const filteredLimiter = limiterPerPool("filtered reports", 1 / 6);
const timeoutMs = 5000;

/** Raw clicks of a report are counted in this time and memory, by one process of PostgreSQL. */
const filteredSettings =
  "set local statement_timeout = '10s'; set local work_mem = '32MB'; set local max_parallel_workers_per_gather = 0";

/**
 * Reads a report in one snapshot of the database, when there is a slot for it; 503 if none frees in time. There are few slots
 * for those that count raw clicks.
 */
export function withReportSlot<T>(
  pool: Pool,
  accountId: string,
  countsClicks: boolean,
  read: (database: PoolClient) => Promise<T>,
): Promise<T> {
  const inSlot = (work: (database: PoolClient) => Promise<T>) =>
    reportLimiter(pool).run(accountId, timeoutMs, () => inSnapshot(pool, work));
  if (!countsClicks) return inSlot(read);
  return filteredLimiter(pool).run(accountId, timeoutMs, () =>
    inSlot(async (database) => {
      await database.query(filteredSettings);
      return read(database);
    }).catch((error: unknown) => {
      if (!isStatementTimeout(error)) throw error;
      throw tooLong(error);
    }),
  );
}
