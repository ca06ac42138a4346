import { dayMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, referrerDimensionRows, scopeDimension } from "../../dimensions.ts";
import type { DimensionValue } from "../prepare/interner.ts";
import type { DayValues } from "../prepare/tally.ts";
import { addRows, monthCondition, rawClicks, type Rollup, type RollupScope, sumsOf } from "./rollup.ts";
import { day, type TimeColumns, timeKeysOf } from "./time-columns.ts";

/** Clicks by UTC day and by each value of each dimension. */
export const valuesByDay = (scope: RollupScope): Rollup => {
  const { name, column } = scopeDimension[scope];
  return {
    ...valuesByTime(scope, "day_values", { day }),
    // Grouped by client and referrer first: many clicks are alike.
    expected: (month) => `
      select scope_id as ${scope}_id, dimension, value, day, sum(alike) as clicks
      from (
        select scope_id, date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int as day, client_id, referrer_id, ${column},
          count(*) as alike
        from ${rawClicks(scope, month)} where not is_bot group by 1, 2, 3, 4, 5
      ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
      cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('${name}', ${column}::text))
        v (dimension, value)
      where value is not null group by 1, 2, 3, 4`,
  };
};

/** The same per period of whole UTC days, such as a month, in the table `{scope}_{name}`. */
export function valuesByTime(scope: RollupScope, name: string, times: TimeColumns): Rollup {
  const table = `${scope}_${name}`;
  const key = [`${scope}_id`, "dimension", "value", ...Object.keys(times)];
  const counts = ["clicks"] as const;
  return {
    table,
    key,
    counts,
    add(batch) {
      const sums = sumsOf(scope, batch);
      const timeKeys = timeKeysOf(
        times,
        batch.days.map(({ start }) => start),
      );
      /** By the day's place, which starts at 1 */
      const places = [0, ...batch.days.map(({ start }) => timeKeys.placeOf(start))];
      // A batch has more of these rows than clicks: columns are filled without an object for each row.
      const scopes: number[] = [];
      const timePlaces: number[] = [];
      const dimensions: string[] = [];
      const literals: string[] = [];
      const clicks: number[] = [];
      for (const sum of sums) {
        for (const [place, values] of byPlace(sum.days(), places)) {
          for (const [value, count] of [...values].toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))) {
            scopes.push(sum.place);
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
          scope: scopes,
          time: timePlaces,
          others: { dimension: ["text", dimensions], value: ["text", literals], clicks: ["int", clicks] },
        },
      );
    },
    inMonth: monthCondition(scope, times),
    expected: (month) => `
      select ${[
        `${scope}_id, dimension, value`,
        ...Object.entries(times).map(([column, time]) => `${time.sql("day::timestamp")} as ${column}`),
      ].join()}, sum(clicks) as clicks
      from ${scope}_day_values where ${monthCondition(scope, { day })(month)}
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
