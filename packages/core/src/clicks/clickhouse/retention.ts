import type { Database } from "../../db/statements.ts";
import type { ClickHouseConnection } from "./connection.ts";
import { dropMonth, monthsIn } from "./tables.ts";

/**
 * Drops the months in ClickHouse that ended before `time`, and returns them as YYYYMM. Reports leave them out first. The caller holds
 * the lock of the copy.
 */
export async function dropMonthsBefore(
  database: Database,
  clickhouse: ClickHouseConnection,
  time: number,
): Promise<readonly number[]> {
  const oldest = new Date(time);
  const first = Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth());
  const number = oldest.getUTCFullYear() * 100 + oldest.getUTCMonth() + 1;
  const months = (await monthsIn(clickhouse)).filter((month) => month < number);
  if (months.length === 0) return months;
  await database.query("update clickhouse_copy set since = greatest(since, $1)", [first]);
  for (const month of months) {
    // A connection that is silent for long counts as lost, and with it the lock.
    await database.query("select");
    await dropMonth(clickhouse, month);
  }
  return months;
}
