import type { PoolClient, QueryConfig } from "pg";
import { type ColumnTypes, sqlRows } from "../../../db/arrays.ts";
import { dayMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { Month } from "../store/partitions.ts";

/**
 * A table of sums, of accounts or of links. The drain adds to it, `analytics rebuild` verifies and repairs it, and tests compare it
 * with raw clicks, all by this definition.
 */
export interface Rollup {
  table: string;
  /** The columns of the primary key; the first one is `account_id` or `link_id` */
  key: readonly (keyof RollupRow)[];
  counts: readonly ("clicks" | "visitors" | "bots")[];
  /** A batch's additions */
  rowsOf(batch: Batch): readonly RollupRow[];
  /** SQL condition that selects the rows of a month. Those of deleted accounts are kept, since nothing could restore them. */
  inMonth(month: Month): string;
  /** SQL query for the correct rows, from raw clicks or from a rollup that is earlier in the list */
  expected(month: Month): string;
}

/** Types of the columns */
const columnTypes = {
  account_id: "uuid",
  link_id: "uuid",
  start: "timestamptz",
  day: "date",
  bot_id: "int",
  clicks: "int",
  visitors: "int",
  bots: "int",
} as const;

/** A row, or an addition to it. */
export type RollupRow = Readonly<Partial<Record<keyof typeof columnTypes, string | number>>>;

/** The statement that adds a batch. */
export const addRollup = (rollup: Rollup, batch: Batch): QueryConfig => addRows(rollup, rollup.rowsOf(batch));

/** The statement that adds rows to those that exist. */
export function addRows({ table, key, counts }: Rollup, rows: readonly RollupRow[]): QueryConfig {
  const columns = [...key, ...counts];
  const added = sqlRows(1, rows, Object.fromEntries(columns.map((name) => [name, columnTypes[name]])));
  return {
    name: `add-${table}`,
    // In the same order on every node, so that no two nodes wait for each other's rows.
    text: `insert into ${table} as r (${columns.join()}) select ${columns.join()} from ${added.table} order by ${key.join()}
           on conflict (${key.join()}) do update set ${counts.map((name) => `${name} = r.${name} + excluded.${name}`).join()}`,
    values: added.values,
  };
}

/** Changes a table by rows, unless there are none; `textOf` makes the statement from their table expression, `t`. */
export async function changeRows<Row extends object>(
  database: PoolClient,
  rows: readonly Row[],
  { name, types, textOf }: { name: string; types: ColumnTypes<Row>; textOf: (rows: string) => string },
): Promise<void> {
  if (rows.length === 0) return;
  const { table, values } = sqlRows(1, rows, types);
  await database.query({ name, text: textOf(table), values });
}

/**
 * SQL: raw clicks of a month with their `account_id`. Deleted accounts are left out: their raw clicks no longer show
 * whose they were.
 */
export const rawClicksOfAccounts = ({ partition }: Month): string =>
  `(select c.*, u.id as account_id from ${partition} c join workspaces u on u.number = account_number) c`;

const ofAccounts = "account_id in (select id from workspaces)";

const quarterHoursInMonth = ({ first, next }: Month) =>
  `start >= '${first} 00:00Z' and start < '${next} 00:00Z' and ${ofAccounts}`;

/** Hours and days of every time zone begin at a quarter hour of UTC. */
const sumsByQuarterHour: Rollup = {
  table: "account_quarter_hours",
  key: ["account_id", "start"],
  counts: ["clicks", "visitors", "bots"],
  rowsOf: ({ accounts }) =>
    accounts.flatMap((account) =>
      account.days().flatMap((day) =>
        day.quarterHours().map(({ start, ...counts }) => {
          return { account_id: account.id, start: new Date(start).toISOString(), ...counts };
        }),
      ),
    ),
  inMonth: quarterHoursInMonth,
  expected: (month) => `
    select account_id, to_timestamp(${timeIn("id")} / 900000 * 900) as start,
      count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
      count(*) filter (where is_bot) as bots
    from ${rawClicksOfAccounts(month)} group by 1, 2`,
};

const sumsByDay: Rollup = {
  table: "account_days",
  key: ["account_id", "day"],
  counts: ["clicks", "visitors", "bots"],
  rowsOf: ({ accounts }) =>
    accounts.flatMap((account) =>
      account.days().map((sums) => ({ account_id: account.id, day: sums.day.date, ...sums.totals() })),
    ),
  inMonth: ({ first, next }) => `day >= '${first}' and day < '${next}' and ${ofAccounts}`,
  expected: (month) => `
    select account_id, (start at time zone 'UTC')::date as day,
      sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
    from account_quarter_hours where ${quarterHoursInMonth(month)}
    group by 1, 2 having sum(clicks) > 0 or sum(visitors) > 0 or sum(bots) > 0`,
};

/** Visits of bots by UTC day and reason, of links or of accounts. */
function botsByDay(scope: "link" | "account"): Rollup {
  const owner = `${scope}_id` as const;
  const isOfLinks = scope === "link";
  return {
    table: `${scope}_bots`,
    key: [owner, "day", "bot_id"],
    counts: ["bots"],
    rowsOf: ({ links, accounts }) =>
      (isOfLinks ? links : accounts).flatMap((each) =>
        each.days().flatMap((sums) =>
          Array.from(sums.botsByReason(), ([reason, bots]) => {
            return { [owner]: each.id, day: sums.day.date, bot_id: reason.id, bots };
          }),
        ),
      ),
    inMonth: ({ first, next }) =>
      `day >= '${first}' and day < '${next}'${isOfLinks ? "" : ` and ${ofAccounts}`}`,
    expected: ({ partition }) => `
      select ${isOfLinks ? "link_id" : "u.id as account_id"},
        date '1970-01-01' + (${timeIn("c.id")} / ${dayMs})::int as day, bot_id, count(*) as bots
      from ${partition} c ${isOfLinks ? "" : "join workspaces u on u.number = account_number"}
      where is_bot group by 1, 2, 3`,
  };
}

/**
 * Sums of accounts by time, and bots of links and of accounts. By value they are in `account-sums.ts`, those of links in
 * `link-days.ts`. A new one is an entry here and a migration that creates its table; `analytics rebuild` fills it from the raw
 * clicks of the past. Rollups that others are made from come first.
 */
export const rollups: readonly Rollup[] = [
  botsByDay("link"),
  sumsByQuarterHour,
  sumsByDay,
  botsByDay("account"),
];

/** All tables with sums of accounts. */
export const accountTables: readonly string[] = [
  "account_sums",
  "account_hour_sums",
  ...rollups.filter(({ key }) => key[0] === "account_id").map(({ table }) => table),
];
