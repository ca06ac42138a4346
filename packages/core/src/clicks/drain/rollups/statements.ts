import type { QueryConfig } from "pg";
import type { Day } from "../prepare/day.ts";
import type { DimensionValue } from "../prepare/description.ts";
import type { Batch } from "../prepare/prepare.ts";
import { sqlArray, sqlColumns } from "../../../db/sql-array.ts";
import type { ClickCounts, Sums } from "../prepare/tally.ts";

/** Rows go in by id, then time, then value: in the order of every node, so that none waits for another in a ring. */

type RollupScope = "link" | "account";
type VisitorsIn = (period: ClickCounts) => number;

/** Adds to the quarter hours of all links, or of all accounts. */
export function addQuarterHours(
  owner: RollupScope,
  sums: readonly Sums[],
  visitorsIn: VisitorsIn,
): QueryConfig {
  const rows = sums.flatMap((sum) => sum.quarterHours().map((period) => ({ place: sum.place, period })));
  const { table, values } = sqlColumns(2, {
    place: ["int", sqlArray(rows.map(({ place }) => place))],
    start: ["bigint", sqlArray(rows.map(({ period }) => period.start / 1000))],
    ...countsOf(rows, visitorsIn),
  });
  return {
    name: `add-${owner}-quarter-hours`,
    text: `insert into ${owner}_quarter_hours as r (${owner}_id, start, clicks, visitors, bots)
           select ($1::uuid[])[place], to_timestamp(start), clicks, visitors, bots from ${table}
           on conflict (${owner}_id, start) do update set ${adding}`,
    values: [sqlArray(sums.map(({ id }) => id)), ...values],
  };
}

/** Adds to the days of all links, or of all accounts. */
export function addDays(
  owner: RollupScope,
  sums: readonly Sums[],
  days: Batch["days"],
  visitorsIn: VisitorsIn,
): QueryConfig {
  const rows = sums.flatMap((sum) => sum.days().map((period) => ({ place: sum.place, period })));
  const { table, values } = sqlColumns(3, {
    place: ["int", sqlArray(rows.map(({ place }) => place))],
    day: ["int", sqlArray(rows.map(({ period }) => period.place))],
    ...countsOf(rows, visitorsIn),
  });
  return {
    name: `add-${owner}-days`,
    text: `insert into ${owner}_days as r (${owner}_id, day, clicks, visitors, bots)
           select ($1::uuid[])[place], ($2::date[])[day], clicks, visitors, bots from ${table}
           on conflict (${owner}_id, day) do update set ${adding}`,
    values: [sqlArray(sums.map(({ id }) => id)), sqlArray(days.map(({ date }) => date)), ...values],
  };
}

const adding = `clicks = r.clicks + excluded.clicks, visitors = r.visitors + excluded.visitors,
                bots = r.bots + excluded.bots`;

const countsOf = (rows: readonly { period: ClickCounts }[], visitorsIn: VisitorsIn) =>
  ({
    clicks: ["int", sqlArray(rows.map(({ period }) => period.clicks))],
    visitors: ["int", sqlArray(rows.map(({ period }) => visitorsIn(period)))],
    bots: ["int", sqlArray(rows.map(({ period }) => period.bots))],
  }) as const;

/** Adds to the values by day, or by month, of all links, or of all accounts. */
export function addValues(
  owner: RollupScope,
  period: "day" | "month",
  sums: readonly Sums[],
  days: Batch["days"],
): QueryConfig {
  const dateOf = period === "day" ? ({ date }: Day) => date : firstOfMonth;
  const dates = [...new Set(days.map(dateOf))];
  /** By the day's place, which begins with 1 */
  const places = [0, ...days.map((day) => dates.indexOf(dateOf(day)) + 1)];
  // A batch has more of these rows than clicks: columns are filled without a row in between.
  const owners: number[] = [];
  const times: number[] = [];
  const dimensions: string[] = [];
  const literals: string[] = [];
  const clicks: number[] = [];
  for (const sum of sums) {
    for (const [place, counts] of byPlace(sum, places)) {
      for (const [value, count] of [...counts].toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))) {
        owners.push(sum.place);
        times.push(place);
        dimensions.push(value.dimension);
        literals.push(value.literal);
        clicks.push(count);
      }
    }
  }
  const { table, values } = sqlColumns(3, {
    owner: ["int", sqlArray(owners)],
    time: ["int", sqlArray(times)],
    dimension: ["text", sqlArray(dimensions)],
    value: ["text", sqlArray(literals)],
    clicks: ["int", sqlArray(clicks)],
  });
  return {
    name: `add-${owner}-${period}-values`,
    text: `insert into ${owner}_${period}_values as r (${owner}_id, ${period}, dimension, value, clicks)
           select ($1::uuid[])[owner], ($2::date[])[time], dimension, value, clicks from ${table}
           on conflict (${owner}_id, ${period}, dimension, value) do update set clicks = r.clicks + excluded.clicks`,
    values: [sqlArray(sums.map(({ id }) => id)), sqlArray(dates), ...values],
  };
}

const firstOfMonth = ({ date }: Day) => `${date.slice(0, 7)}-01`;

/** The clicks by value of the days that have the same place, in the order of places. */
function byPlace(
  sum: Sums,
  places: readonly number[],
): ReadonlyMap<number, ReadonlyMap<DimensionValue, number>> {
  const all = new Map<number, ReadonlyMap<DimensionValue, number>>();
  for (const day of sum.days()) {
    const place = places[day.place] as number;
    const counts = all.get(place);
    all.set(place, counts ? added(counts, day.values()) : day.values());
  }
  return all;
}

function added(some: ReadonlyMap<DimensionValue, number>, more: ReadonlyMap<DimensionValue, number>) {
  const sums = new Map(some);
  for (const [value, count] of more) sums.set(value, (sums.get(value) ?? 0) + count);
  return sums;
}
