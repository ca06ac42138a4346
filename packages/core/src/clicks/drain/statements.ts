import type { QueryConfig } from "pg";
import type { Batch, Day, PreparedClick } from "./prepare.ts";
import { sqlArray } from "./sql-array.ts";
import type { Period, Sums } from "./tally.ts";
import type { Value } from "./description.ts";

/**
 * The writing half of a drain's transaction: one prepared statement a table, whole batches as arrays. Ids and days are
 * sent once each and named by their place, as reading them costs PostgreSQL more than writing the rows.
 */

export function addVisitors({ visitors, days }: Batch): QueryConfig {
  return {
    name: "add-visitors",
    text: `with fresh as (
             insert into click_visitors (day, visitor)
             select ($1::date[])[day], visitor from unnest($2::int[], $3::bigint[]) as t (day, visitor)
             order by 1, 2 on conflict do nothing returning visitor
           ) select string_agg(visitor::text, ',') as visitors from fresh`,
    values: [
      sqlArray(days.map(({ date }) => date)),
      sqlArray([...visitors.values()].map(({ day }) => day.place)),
      sqlArray([...visitors.keys()]),
    ],
  };
}

export function addClicks(
  { clicks, links, clientIds, referrerIds }: Batch,
  isUnique: (click: PreparedClick) => boolean,
  idAt: (time: number) => string,
): QueryConfig {
  return {
    name: "add-clicks",
    text: `insert into clicks (id, link_id, account_number, client_id, referrer_id, variant, is_bot, is_unique)
           select id, ($1::uuid[])[link], account, client, referrer, variant, is_bot, is_unique
           from unnest($2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::smallint[], $8::bool[], $9::bool[])
             as t (id, link, account, client, referrer, variant, is_bot, is_unique)`,
    values: [
      sqlArray(links.map(({ id }) => id)),
      sqlArray(clicks.map(({ time }) => idAt(time))),
      sqlArray(clicks.map(({ link }) => link.place)),
      sqlArray(clicks.map(({ account }) => account?.number ?? "null")),
      sqlArray(clicks.map(({ client }) => clientIds.get(client) ?? "null")),
      sqlArray(clicks.map(({ referrer }) => referrerIds.get(referrer) ?? "null")),
      sqlArray(clicks.map(({ variant }) => variant ?? "null")),
      sqlArray(clicks.map(({ is_bot }) => is_bot)),
      sqlArray(clicks.map(isUnique)),
    ],
  };
}

type Whose = "link" | "account";
type VisitorsIn = (period: Period) => number;

/** Adds to the quarter hours of all links, or of all accounts. */
export function addQuarterHours(owner: Whose, sums: readonly Sums[], visitorsIn: VisitorsIn): QueryConfig {
  const rows = sums.flatMap((sum) => sum.quarterHours().map((period) => ({ place: sum.place, period })));
  return {
    name: `add-${owner}-quarter-hours`,
    text: `insert into ${owner}_quarter_hours as r (${owner}_id, start, clicks, visitors, bots)
           select ($1::uuid[])[place], to_timestamp(start), clicks, visitors, bots
           from unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[])
             as t (place, start, clicks, visitors, bots)
           on conflict (${owner}_id, start) do update set ${adding}`,
    values: [
      sqlArray(sums.map(({ id }) => id)),
      sqlArray(rows.map(({ place }) => place)),
      sqlArray(rows.map(({ period }) => period.start / 1000)),
      ...countsOf(rows, visitorsIn),
    ],
  };
}

/** Adds to the days of all links, or of all accounts. */
export function addDays(
  owner: Whose,
  sums: readonly Sums[],
  days: Batch["days"],
  visitorsIn: VisitorsIn,
): QueryConfig {
  const rows = sums.flatMap((sum) => sum.days().map((period) => ({ place: sum.place, period })));
  return {
    name: `add-${owner}-days`,
    text: `insert into ${owner}_days as r (${owner}_id, day, clicks, visitors, bots)
           select ($1::uuid[])[place], ($2::date[])[day], clicks, visitors, bots
           from unnest($3::int[], $4::int[], $5::int[], $6::int[], $7::int[])
             as t (place, day, clicks, visitors, bots)
           on conflict (${owner}_id, day) do update set ${adding}`,
    values: [
      sqlArray(sums.map(({ id }) => id)),
      sqlArray(days.map(({ date }) => date)),
      sqlArray(rows.map(({ place }) => place)),
      sqlArray(rows.map(({ period }) => period.place)),
      ...countsOf(rows, visitorsIn),
    ],
  };
}

const adding = `clicks = r.clicks + excluded.clicks, visitors = r.visitors + excluded.visitors, bots = r.bots + excluded.bots`;

const countsOf = (rows: readonly { period: Period }[], visitorsIn: VisitorsIn) => [
  sqlArray(rows.map(({ period }) => period.clicks)),
  sqlArray(rows.map(({ period }) => visitorsIn(period))),
  sqlArray(rows.map(({ period }) => period.bots)),
];

/** Adds to the values by day, or by month, of all links, or of all accounts. */
export function addValues(
  owner: Whose,
  period: "day" | "month",
  sums: readonly Sums[],
  days: Batch["days"],
): QueryConfig {
  const dates = period === "day" ? days.map(({ date }) => date) : [...new Set(days.map(monthOf))];
  // A batch has more of these rows than clicks: columns are filled without a row in between.
  const places: number[] = [];
  const datePlaces: number[] = [];
  const dimensions: string[] = [];
  const values: string[] = [];
  const clicks: number[] = [];
  for (const sum of sums) {
    const byDate = new Map<number, ReadonlyMap<Value, number>>();
    for (const day of sum.days()) {
      const place = period === "day" ? day.place : dates.indexOf(monthOf(days[day.place - 1]!)) + 1;
      const before = byDate.get(place);
      byDate.set(place, before ? merge(before, day.values()) : day.values());
    }
    for (const [place, counts] of byDate) {
      for (const [value, count] of [...counts].toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))) {
        places.push(sum.place);
        datePlaces.push(place);
        dimensions.push(value.dimension);
        values.push(value.literal);
        clicks.push(count);
      }
    }
  }
  const table = `${owner}_${period}_values`;
  return {
    name: `add-${table}`,
    text: `insert into ${table} as r (${owner}_id, ${period}, dimension, value, clicks)
           select ($1::uuid[])[place], ($2::date[])[date], dimension, value, clicks
           from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::int[])
             as t (place, date, dimension, value, clicks)
           on conflict (${owner}_id, ${period}, dimension, value) do update set clicks = r.clicks + excluded.clicks`,
    values: [
      sqlArray(sums.map(({ id }) => id)),
      sqlArray(dates),
      ...[places, datePlaces, dimensions, values, clicks].map(sqlArray),
    ],
  };
}

/** The first day of a day's month. */
const monthOf = ({ date }: Day) => `${date.slice(0, 7)}-01`;

function merge(some: ReadonlyMap<Value, number>, more: ReadonlyMap<Value, number>) {
  const both = new Map(some);
  for (const [value, count] of more) both.set(value, (both.get(value) ?? 0) + count);
  return both;
}

/** Adds to the links' own counts. Rows are locked by id, in the order of every node. */
export function addClickCounts(links: readonly Sums[]): QueryConfig {
  return {
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks
           from (
             select id, t.clicks from unnest($1::uuid[], $2::int[]) as t (id, clicks) join links using (id)
             order by id for no key update of links
           ) t where links.id = t.id`,
    values: [sqlArray(links.map(({ id }) => id)), sqlArray(links.map(({ clicks }) => clicks))],
  };
}
