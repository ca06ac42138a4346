import type { QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { dayMs, utcDate } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import type { QuarterHour } from "../prepare/click-counts.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { Month } from "../store/partitions.ts";

/**
 * A table of sums, of accounts or of links. The drain adds to it, `analytics rebuild` verifies and repairs it, and tests compare it
 * with raw clicks, all by this definition.
 */
export interface Rollup {
  table: string;
  /** The columns of the primary key; the first one is `account_id` or `link_id` */
  key: readonly string[];
  counts: readonly ("clicks" | "visitors" | "bots")[];
  /** The statement that adds a batch. `visitorsIn` returns the number of new visitors in a quarter hour. */
  add(batch: Batch, visitorsIn: (quarterHour: QuarterHour) => number): QueryConfig;
  /** SQL condition that selects the rows of a month. Those of deleted accounts are kept, since nothing could restore them. */
  inMonth(month: Month): string;
  /** SQL query for the correct rows, from raw clicks or from a rollup that is earlier in the list */
  expected(month: Month): string;
}

/**
 * SQL: raw clicks of a month with their `account_id`. Accounts that were deleted are left out: their raw clicks no longer say
 * whose they were.
 */
export const rawClicksOfAccounts = ({ partition }: Month): string =>
  `(select c.*, u.id as account_id from ${partition} c join users u on u.number = account_number) c`;

const ofAccounts = "account_id in (select id from users)";

/** A column of a rollup's key that follows from the time of a click. */
interface TimeColumn {
  name: string;
  type: "timestamptz" | "date";
  /** Its value for a quarter hour, by its first millisecond; values ascend with time */
  valueOf(start: number): string;
}

/** Sums of accounts by time. Ids and times are sent once each, as reading them costs PostgreSQL more than writing the rows. */
function sumsByTime(table: string, time: TimeColumn): Pick<Rollup, "table" | "key" | "counts" | "add"> {
  return {
    table,
    key: ["account_id", time.name],
    counts: ["clicks", "visitors", "bots"],
    add({ accounts }, visitorsIn) {
      const values = new Map<number, string>();
      for (const account of accounts)
        for (const { start } of account.quarterHours())
          if (!values.has(start)) values.set(start, time.valueOf(start));
      const times = [...new Set(values.values())].toSorted();
      const positions = new Map(times.map((value, at) => [value, at + 1]));
      const positionOf = ({ start }: QuarterHour) => positions.get(values.get(start) as string) as number;
      /** By account, then time: in the same order on every node, so that no two nodes wait for each other's rows */
      const rows: [account: number, time: number, clicks: number, visitors: number, bots: number][] = [];
      for (const account of accounts) {
        const sums = new Map<number, [clicks: number, visitors: number, bots: number]>();
        for (const quarterHour of account.quarterHours()) {
          const position = positionOf(quarterHour);
          let counts = sums.get(position);
          if (counts === undefined) sums.set(position, (counts = [0, 0, 0]));
          counts[0] += quarterHour.clicks;
          counts[1] += visitorsIn(quarterHour);
          counts[2] += quarterHour.bots;
        }
        for (const [position, counts] of sums)
          if (counts.some((count) => count > 0)) rows.push([account.position, position, ...counts]);
      }
      const column = (at: 0 | 1 | 2 | 3 | 4) => ["int", sqlArray(rows.map((row) => row[at]))] as const;
      const added = sqlColumns(3, {
        account: column(0),
        time: column(1),
        clicks: column(2),
        visitors: column(3),
        bots: column(4),
      });
      return {
        name: `add-${table}`,
        text: `insert into ${table} as r (account_id, ${time.name}, clicks, visitors, bots)
               select ($1::uuid[])[account], ($2::${time.type}[])[time], clicks, visitors, bots from ${added.table}
               on conflict (account_id, ${time.name}) do update set clicks = r.clicks + excluded.clicks,
                 visitors = r.visitors + excluded.visitors, bots = r.bots + excluded.bots`,
        values: [sqlArray(accounts.map(({ id }) => id)), sqlArray(times), ...added.values],
      };
    },
  };
}

const quarterHoursInMonth = ({ first, next }: Month) =>
  `start >= '${first} 00:00Z' and start < '${next} 00:00Z' and ${ofAccounts}`;

/** Hours and days of every time zone begin at a quarter hour of UTC. */
const sumsByQuarterHour: Rollup = {
  ...sumsByTime("account_quarter_hours", {
    name: "start",
    type: "timestamptz",
    valueOf: (start) => new Date(start).toISOString(),
  }),
  inMonth: quarterHoursInMonth,
  expected: (month) => `
    select account_id, to_timestamp(${timeIn("id")} / 900000 * 900) as start,
      count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
      count(*) filter (where is_bot) as bots
    from ${rawClicksOfAccounts(month)} group by 1, 2`,
};

const sumsByDay: Rollup = {
  ...sumsByTime("account_days", { name: "day", type: "date", valueOf: utcDate }),
  inMonth: ({ first, next }) => `day >= '${first}' and day < '${next}' and ${ofAccounts}`,
  expected: (month) => `
    select account_id, (start at time zone 'UTC')::date as day,
      sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
    from account_quarter_hours where ${quarterHoursInMonth(month)}
    group by 1, 2 having sum(clicks) > 0 or sum(visitors) > 0 or sum(bots) > 0`,
};

/** Visits of bots by UTC day and reason, of links or of accounts. */
function botsByDay(scope: "link" | "account"): Rollup {
  const table = `${scope}_bots`;
  const owner = `${scope}_id`;
  const isOfLinks = scope === "link";
  return {
    table,
    key: [owner, "day", "bot_id"],
    counts: ["bots"],
    add({ links, accounts, days, botIds }) {
      const sums = isOfLinks ? links : accounts;
      const rows = sums.flatMap((sum) =>
        sum
          .days()
          .flatMap((day) =>
            Array.from(
              day.bots(),
              ([bot, count]) => [sum.position, day.position, botIds.get(bot) ?? 0, count] as const,
            ),
          ),
      );
      const column = (at: 0 | 1 | 2 | 3) => ["int", sqlArray(rows.map((row) => row[at]))] as const;
      const { table: added, values } = sqlColumns(3, {
        owner: column(0),
        day: column(1),
        bot_id: column(2),
        bots: column(3),
      });
      return {
        name: `add-${table}`,
        // In the same order on every node, so that no two nodes wait for each other's rows.
        text: `insert into ${table} as r (${owner}, day, bot_id, bots)
               select ($1::uuid[])[owner], ($2::date[])[day], bot_id, bots from ${added} order by 1, 2, 3
               on conflict (${owner}, day, bot_id) do update set bots = r.bots + excluded.bots`,
        values: [sqlArray(sums.map(({ id }) => id)), sqlArray(days.map(({ date }) => date)), ...values],
      };
    },
    inMonth: ({ first, next }) =>
      `day >= '${first}' and day < '${next}'${isOfLinks ? "" : ` and ${ofAccounts}`}`,
    expected: ({ partition }) => `
      select ${isOfLinks ? "link_id" : "u.id as account_id"},
        date '1970-01-01' + (${timeIn("c.id")} / ${dayMs})::int as day, bot_id, count(*) as bots
      from ${partition} c ${isOfLinks ? "" : "join users u on u.number = account_number"}
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
