import { botsByDay } from "./bots.ts";
import { sumsByQuarterHour, sumsByTime } from "./by-time.ts";
import { valuesByDay, valuesByTime } from "./by-value.ts";
import type { Rollup } from "./rollup.ts";
import { day, month } from "./time-columns.ts";

/**
 * The rollups of accounts, and bots of links; other figures of links are in `link-days.ts`. A new one is an entry here and a migration that creates its
 * table; `analytics rebuild` fills it from the raw clicks of the past. Rollups that others are made from come first.
 */
export const rollups: readonly Rollup[] = [
  botsByDay("link"),
  sumsByQuarterHour,
  sumsByTime("days", { day }),
  valuesByDay,
  valuesByTime("month_values", { month }),
  botsByDay("account"),
];
