import { botsByDay } from "./bots.ts";
import { sumsByQuarterHour, sumsByTime } from "./by-time.ts";
import { valuesByDay, valuesByTime } from "./by-value.ts";
import type { Rollup } from "./rollup.ts";
import { day, month } from "./time-columns.ts";

/**
 * All rollups. A new one is an entry here and a migration that creates its table; `analytics rebuild` fills it from the
 * raw clicks of the past. Rollups that others are made from come first.
 */
export const rollups: readonly Rollup[] = [
  ...(["link", "account"] as const).flatMap((scope) => [
    sumsByQuarterHour(scope),
    sumsByTime(scope, "days", { day }),
    valuesByDay(scope),
    botsByDay(scope),
  ]),
  valuesByTime("account", "month_values", { month }),
];
