import { botsByDay } from "./bots.ts";
import { sumsByQuarterHour, sumsByTime } from "./by-time.ts";
import type { Rollup } from "./rollup.ts";
import { day } from "./time-columns.ts";

/**
 * Sums of accounts by time, and bots of links and of accounts. By value they are in `account-sums.ts`, those of links in
 * `link-days.ts`. A new one is an entry here and a migration that creates its table; `analytics rebuild` fills it from the raw
 * clicks of the past. Rollups that others are made from come first.
 */
export const rollups: readonly Rollup[] = [
  botsByDay("link"),
  sumsByQuarterHour,
  sumsByTime("days", { day }),
  botsByDay("account"),
];

/** All tables with sums of accounts. The first two have what versions before counted. */
export const accountTables: readonly string[] = [
  "account_day_values",
  "account_month_values",
  "account_sums",
  "account_hour_sums",
  ...rollups.filter(({ key }) => key[0] === "account_id").map(({ table }) => table),
];
