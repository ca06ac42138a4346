import type { QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../../../db/arrays.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { QuarterHour } from "../prepare/tally.ts";
import type { Month } from "../store/partitions.ts";
import type { TimeColumns, TimeKeys } from "./time-columns.ts";

export type Count = "clicks" | "visitors" | "bots";

/**
 * A table of sums, of accounts or of links. The drain adds to it, `analytics rebuild` verifies and repairs it, and tests compare it
 * with raw clicks, all by this definition.
 */
export interface Rollup {
  table: string;
  /** The columns of the primary key; the first one is `account_id` or `link_id` */
  key: readonly string[];
  counts: readonly Count[];
  /** The statement that adds a batch. `visitorsIn` tells how many new visitors a quarter hour has. */
  add(batch: Batch, visitorsIn: (quarterHour: QuarterHour) => number): QueryConfig;
  /** SQL condition that selects the rows of a month */
  inMonth(month: Month): string;
  /** SQL query for what those rows should be, from raw clicks or from a rollup that is earlier in the list */
  expected(month: Month): string;
}

/**
 * SQL: raw clicks of a month with their `account_id`. Accounts that were deleted are left out: their raw clicks no longer say
 * whose they were.
 */
export const rawClicksOfAccounts = ({ partition }: Month): string =>
  `(select c.*, u.id as account_id from ${partition} c join users u on u.number = account_number) c`;

/** SQL condition on a month's rows. Rollups of deleted accounts are kept, since nothing could restore them. */
export function monthCondition(times: TimeColumns): Rollup["inMonth"] {
  const [first] = Object.entries(times);
  if (first === undefined)
    throw new Error("A rollup's key needs a date or a time, as rollups are rebuilt by month");
  const [column, { type }] = first;
  const midnight = type === "timestamptz" ? " 00:00Z" : "";
  return (month) =>
    `${column} >= '${month.first}${midnight}' and ${column} < '${month.next}${midnight}' and account_id in (select id from users)`;
}

type Column = readonly [type: "int", elements: readonly number[]];

/** Rows for a rollup as columns of equal length; `account` and `time` are places, from 1, in `ids` and `timeKeys`. */
export interface RowColumns {
  account: number[];
  time: number[];
  /** By column: the counts */
  others: Readonly<Record<string, Column>>;
}

/**
 * Adds rows to a rollup. They must come by id, then time: in the same order on every node, so that no two
 * nodes wait for each other's rows. Ids and times are sent once each, as reading them costs more than writing the rows.
 */
export function addRows(
  { table, key, counts }: Pick<Rollup, "table" | "key" | "counts">,
  ids: readonly string[],
  timeKeys: TimeKeys,
  { account, time, others }: RowColumns,
): QueryConfig {
  const timeNames = Object.keys(timeKeys.columns);
  const rows = sqlColumns(2 + timeNames.length, {
    account: ["int", sqlArray(account)],
    time: ["int", sqlArray(time)],
    ...Object.fromEntries(
      Object.entries(others).map(([name, [type, elements]]) => [name, [type, sqlArray(elements)] as const]),
    ),
  });
  const times = timeNames.map((name, at) => `($${2 + at}::${timeKeys.columns[name]?.type}[])[time]`);
  const names = Object.keys(others);
  return {
    name: `add-${table}`,
    text: `insert into ${table} as r (${[key[0], ...timeNames, ...names].join()})
           select ${["($1::uuid[])[account]", ...times, ...names].join()} from ${rows.table}
           on conflict (${key.join()}) do update set
             ${counts.map((count) => `${count} = r.${count} + excluded.${count}`).join()}`,
    values: [
      sqlArray(ids),
      ...timeNames.map((name) => sqlArray(timeKeys.columns[name]?.elements ?? [])),
      ...rows.values,
    ],
  };
}
