import { dayMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, referrerDimensionRows } from "../../dimensions.ts";
import type { DimensionValue } from "../prepare/interner.ts";
import type { DayValues } from "../prepare/tally.ts";
import { addRows, monthCondition, rawClicksOfAccounts, type Rollup } from "./rollup.ts";
import { day, type TimeColumns, timeKeysOf } from "./time-columns.ts";

/** Clicks of accounts by UTC day and by each value of each dimension; links are values too. */
export const valuesByDay: Rollup = {
  ...valuesByTime("day_values", { day }),
  // Grouped by client and referrer first: many clicks are alike.
  expected: (month) => `
    select account_id, dimension, value, day, sum(alike) as clicks
    from (
      select account_id, date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int as day, client_id, referrer_id, link_id,
        count(*) as alike
      from ${rawClicksOfAccounts(month)} where not is_bot group by 1, 2, 3, 4, 5
    ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
    cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('link', link_id::text))
      v (dimension, value)
    group by 1, 2, 3, 4`,
};

/** The same per period of whole UTC days, such as a month, in the table `account_{name}`. */
export function valuesByTime(name: string, times: TimeColumns): Rollup {
  const table = `account_${name}`;
  const key = ["account_id", "dimension", "value", ...Object.keys(times)];
  const counts = ["clicks"] as const;
  return {
    table,
    key,
    counts,
    add({ accounts: sums, days }) {
      const timeKeys = timeKeysOf(
        times,
        days.map(({ start }) => start),
      );
      /** By the day's place, which starts at 1 */
      const places = [0, ...days.map(({ start }) => timeKeys.placeOf(start))];
      // A batch has more of these rows than clicks: columns are filled without an object for each row.
      const accounts: number[] = [];
      const timePlaces: number[] = [];
      const dimensions: string[] = [];
      const literals: string[] = [];
      const clicks: number[] = [];
      for (const sum of sums) {
        for (const [place, values] of byPlace(sum.days(), places)) {
          for (const [value, count] of [...values].toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))) {
            accounts.push(sum.place);
            timePlaces.push(place);
            dimensions.push(value.dimension);
            literals.push(value.literal);
            clicks.push(count);
          }
        }
      }
      return addRows(
        { table, key, counts },
        sums.map(({ id }) => id),
        timeKeys,
        {
          account: accounts,
          time: timePlaces,
          others: { dimension: ["text", dimensions], value: ["text", literals], clicks: ["int", clicks] },
        },
      );
    },
    inMonth: monthCondition(times),
    expected: (month) => `
      select ${[
        "account_id, dimension, value",
        ...Object.entries(times).map(([column, time]) => `${time.sql("day::timestamp")} as ${column}`),
      ].join()}, sum(clicks) as clicks
      from account_day_values where ${monthCondition({ day })(month)}
      group by ${key.map((_, at) => at + 1).join()}`,
  };
}

type Values = ReadonlyMap<DimensionValue, number>;

/** Clicks by value, summed over the days of the same period, in the order of periods. */
function byPlace(days: readonly DayValues[], places: readonly number[]): [place: number, Values][] {
  const all = new Map<number, Values>();
  for (const each of days) {
    const place = places[each.place] as number;
    const values = all.get(place);
    all.set(place, values ? merged(values, each.values()) : each.values());
  }
  return [...all].toSorted(([a], [b]) => a - b);
}

function merged(some: Values, more: Values): Values {
  const sums = new Map(some);
  for (const [value, clicks] of more) sums.set(value, (sums.get(value) ?? 0) + clicks);
  return sums;
}
