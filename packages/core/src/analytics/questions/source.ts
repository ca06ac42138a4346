import { type Issue, issue } from "../../kernel/issues.ts";
import type { AnalyticsDeps } from "../call.ts";
import type { ClickHouseClicks } from "../../clicks/clickhouse/copy.ts";
import { ClickHouseFailure } from "../../clicks/clickhouse/connection.ts";
import { AppError } from "../../kernel/errors.ts";
import { type History, readHistory } from "../periods/history.ts";
import { accountScope, type AnalyticsScope } from "../question.ts";
import type { Database } from "../../db/statements.ts";
import { isStatementTimeout } from "../../db/errors.ts";
import type { Pool, PoolClient } from "pg";
import { limiterPerPool } from "../../kernel/async/concurrency-limiter.ts";
import { inSnapshot } from "../../db/connection.ts";

/** Where raw clicks are read from. */
export interface ClickSource {
  /** The copy in ClickHouse; null: the database */
  readonly copy: ClickHouseClicks | null;
  /** Whether the database stands in for ClickHouse, which may have clicks that the database no longer has */
  readonly isClickHouseDown: boolean;
}

export const fromDatabase: ClickSource = { copy: null, isClickHouseDown: false };

/**
 * Reads raw clicks from ClickHouse, if there is one; from the database while it does not answer, does not have its copy yet, or lost
 * clicks between two statements. 503 if a question takes too long.
 */
export async function fromClicks<T>(
  deps: Pick<AnalyticsDeps, "clickhouse">,
  read: (source: ClickSource) => Promise<T>,
): Promise<T> {
  const source = await sourceOf(deps);
  if (source.copy === null) return read(source);
  try {
    const found = await read(source);
    if (await source.copy.isUnchanged()) return found;
  } catch (error) {
    if (!(error instanceof ClickHouseFailure)) throw error;
    if (error.isTooMuch) throw tooLong(error);
  }
  return read(databaseMeanwhile);
}

/** A source that has everything counted by now. */
export async function sourceOf({ clickhouse }: Pick<AnalyticsDeps, "clickhouse">): Promise<ClickSource> {
  if (clickhouse === null) return fromDatabase;
  try {
    const copy = await clickhouse.current();
    return copy === null ? databaseMeanwhile : { copy, isClickHouseDown: false };
  } catch (error) {
    if (!(error instanceof ClickHouseFailure)) throw error;
    return databaseMeanwhile;
  }
}

const databaseMeanwhile: ClickSource = { copy: null, isClickHouseDown: true };

const tooLong = (cause: unknown) =>
  new AppError(
    "SERVICE_UNAVAILABLE",
    issue("", "took_too_long", "The filtered report took too long; choose a shorter window"),
    { cause, retryAfter: 10 },
  );

/** Facts about the raw clicks in a source. */
export async function historyIn(
  { copy }: ClickSource,
  database: Database,
  scope: AnalyticsScope,
): Promise<History> {
  const history = await readHistory(database, scope);
  if (copy === null) return history;
  const { first } = history;
  const { since } = copy;
  return { ...history, rawSince: first !== null && since !== null && first < since ? since : null };
}

const refusalOfFilter = (since: string) =>
  issue("from", "clicks_dropped", `filters only cover clicks since ${since}; choose that time or later`, {
    since,
  });

/** Throws a 400 if raw clicks of a window were dropped; 503 if ClickHouse may have them and does not answer. */
export function requireRawClicks(
  { from }: { from: number },
  { rawSince }: History,
  { isClickHouseDown }: ClickSource,
  refusal: (since: string) => Issue = refusalOfFilter,
): void {
  if (rawSince === null || rawSince <= from) return;
  const since = new Date(rawSince).toISOString();
  if (isClickHouseDown) {
    const message = `Raw clicks before ${since} are unavailable right now; choose that time or later, or try again shortly`;
    const problem = issue("", "unavailable", message, { seconds: 10, since });
    throw new AppError("SERVICE_UNAVAILABLE", problem, { retryAfter: 10 });
  }
  throw new AppError("BAD_REQUEST", refusal(since));
}

/** Where all clicks of an account are, also the oldest. 503 if ClickHouse may have more than the database and does not answer. */
export async function completeSource(
  deps: Pick<AnalyticsDeps, "clickhouse" | "pool">,
  accountId: string,
): Promise<ClickSource> {
  const source = await sourceOf(deps);
  if (source.isClickHouseDown)
    requireRawClicks({ from: 0 }, await readHistory(deps.pool, accountScope(accountId)), source);
  return source;
}

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
