import type { Pool } from "pg";
import type { ClickHouseConnection } from "./connection.ts";
import { dropMonth, monthsIn } from "./tables.ts";

/** Drops the months in ClickHouse that ended before `time`, and returns them as YYYYMM. Reports leave them out first. */
export async function dropMonthsBefore(
  pool: Pool,
  clickhouse: ClickHouseConnection,
  time: number,
): Promise<readonly number[]> {
  const oldest = new Date(time);
  const first = Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth());
  const number = oldest.getUTCFullYear() * 100 + oldest.getUTCMonth() + 1;
  const months = (await monthsIn(clickhouse)).filter((month) => month < number);
  if (months.length === 0) return months;
  await pool.query("update clickhouse_copy set since = greatest(since, $1)", [first]);
  for (const month of months) await dropMonth(clickhouse, month);
  return months;
}
