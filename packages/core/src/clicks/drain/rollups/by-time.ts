import { timeIn } from "../../click-id.ts";
import type { QuarterHour } from "../prepare/tally.ts";
import { addRows, type Count, monthCondition, rawClicksOfAccounts, type Rollup } from "./rollup.ts";
import { quarterHour, type TimeColumns, type TimeKeys, timeKeysOf } from "./time-columns.ts";

const allCounts = ["clicks", "visitors", "bots"] as const;

/** Sums by quarter hour: the longest time that the hours and days of every time zone are made of. */
export const sumsByQuarterHour: Rollup = {
  ...sumsByTime("quarter_hours", { start: quarterHour }),
  expected: (month) => `
    select account_id, to_timestamp(${timeIn("id")} / 900000 * 900) as start,
      count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
      count(*) filter (where is_bot) as bots
    from ${rawClicksOfAccounts(month)} group by 1, 2`,
};

/** Sums by other times that are made of whole quarter hours, in the table `account_{name}`. */
export function sumsByTime(name: string, times: TimeColumns, counts: readonly Count[] = allCounts): Rollup {
  const table = `account_${name}`;
  const key = ["account_id", ...Object.keys(times)];
  return {
    table,
    key,
    counts,
    add({ accounts: sums }, visitorsIn) {
      const timeKeys = timeKeysOf(times, startsOf(sums));
      const accounts: number[] = [];
      const places: number[] = [];
      const columns = { clicks: [] as number[], visitors: [] as number[], bots: [] as number[] };
      for (const sum of sums) {
        for (const [place, quarters] of byPlace(sum.quarterHours(), timeKeys)) {
          const row = countsOf(quarters, visitorsIn);
          if (counts.every((count) => row[count] === 0)) continue;
          accounts.push(sum.place);
          places.push(place);
          for (const count of counts) columns[count].push(row[count]);
        }
      }
      return addRows(
        { table, key, counts },
        sums.map(({ id }) => id),
        timeKeys,
        {
          account: accounts,
          time: places,
          others: Object.fromEntries(counts.map((count) => [count, ["int", columns[count]] as const])),
        },
      );
    },
    inMonth: monthCondition(times),
    expected: (month) => `
      select ${[
        "account_id",
        ...Object.entries(times).map(
          ([column, time]) => `${time.sql("(start at time zone 'UTC')")} as ${column}`,
        ),
        ...counts.map((count) => `sum(${count}) as ${count}`),
      ].join()}
      from account_quarter_hours where ${monthCondition({ start: quarterHour })(month)}
      group by ${key.map((_, at) => at + 1).join()} having ${counts.map((count) => `sum(${count}) > 0`).join(" or ")}`,
  };
}

function* startsOf(sums: readonly { quarterHours(): readonly QuarterHour[] }[]): Generator<number, void> {
  for (const sum of sums) for (const { start } of sum.quarterHours()) yield start;
}

/** Quarter hours by the place of their time, in the order of places. */
function byPlace(
  quarterHours: readonly QuarterHour[],
  { placeOf }: TimeKeys,
): readonly (readonly [place: number, readonly QuarterHour[]])[] {
  const [first] = quarterHours;
  if (first && quarterHours.length === 1) return [[placeOf(first.start), quarterHours]];
  const places = Map.groupBy(quarterHours, ({ start }) => placeOf(start));
  return [...places].toSorted(([a], [b]) => a - b);
}

function countsOf(
  quarterHours: readonly QuarterHour[],
  visitorsIn: (quarterHour: QuarterHour) => number,
): Record<Count, number> {
  const sums = { clicks: 0, visitors: 0, bots: 0 };
  for (const each of quarterHours) {
    sums.clicks += each.clicks;
    sums.visitors += visitorsIn(each);
    sums.bots += each.bots;
  }
  return sums;
}
