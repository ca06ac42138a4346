import type { QueryConfig } from "pg";
import type { Batch, PreparedClick } from "./prepare.ts";
import { sqlArray } from "./sql-array.ts";
import type { Hour, Sums } from "./tally.ts";

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
  { clicks, links, accounts, clientIds, referrerIds }: Batch,
  isUnique: (click: PreparedClick) => boolean,
  idAt: (time: number) => string,
): QueryConfig {
  return {
    name: "add-clicks",
    text: `insert into clicks (id, link_id, account_id, client_id, referrer_id, variant, is_bot, is_unique)
           select id, ($1::uuid[])[link], ($2::uuid[])[account], client, referrer, variant, is_bot, is_unique
           from unnest($3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::smallint[], $9::bool[], $10::bool[])
             as t (id, link, account, client, referrer, variant, is_bot, is_unique)`,
    values: [
      sqlArray(links.map(({ id }) => id)),
      sqlArray(accounts.map(({ id }) => id)),
      sqlArray(clicks.map(({ time }) => idAt(time))),
      sqlArray(clicks.map(({ link }) => link.place)),
      sqlArray(clicks.map(({ account }) => account?.place ?? "null")),
      sqlArray(clicks.map(({ client }) => clientIds.get(client) ?? "null")),
      sqlArray(clicks.map(({ referrer }) => referrerIds.get(referrer) ?? "null")),
      sqlArray(clicks.map(({ variant }) => variant ?? "null")),
      sqlArray(clicks.map(({ is_bot }) => is_bot)),
      sqlArray(clicks.map(isUnique)),
    ],
  };
}

/** Adds to the hours of all links, or of all accounts. */
export function addHours(
  owner: "link" | "account",
  sums: readonly Sums[],
  visitorsIn: (hour: Hour) => number,
): QueryConfig {
  const rows = sums.flatMap(({ place, hours }) =>
    [...hours.values()].toSorted((a, b) => a.start - b.start).map((hour) => ({ place, hour })),
  );
  return {
    name: `add-${owner}-hours`,
    text: `insert into ${owner}_hours as r (${owner}_id, hour, clicks, visitors, bots)
           select ($1::uuid[])[place], to_timestamp(hour), clicks, visitors, bots
           from unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[])
             as t (place, hour, clicks, visitors, bots)
           on conflict (${owner}_id, hour) do update set
             clicks = r.clicks + excluded.clicks,
             visitors = r.visitors + excluded.visitors,
             bots = r.bots + excluded.bots`,
    values: [
      sqlArray(sums.map(({ id }) => id)),
      sqlArray(rows.map(({ place }) => place)),
      sqlArray(rows.map(({ hour }) => hour.start / 1000)),
      sqlArray(rows.map(({ hour }) => hour.clicks)),
      sqlArray(rows.map(({ hour }) => visitorsIn(hour))),
      sqlArray(rows.map(({ hour }) => hour.bots)),
    ],
  };
}

/** Adds to the days and dimensions of all links, or of all accounts. */
export function addDays(owner: "link" | "account", sums: readonly Sums[], days: Batch["days"]): QueryConfig {
  // A batch has more of these rows than clicks: columns are filled without a row in between.
  const places: number[] = [];
  const dayPlaces: number[] = [];
  const dimensions: string[] = [];
  const values: string[] = [];
  const clicks: number[] = [];
  for (const sum of sums) {
    for (const [day, counts] of [...sum.days].toSorted(([a], [b]) => a - b)) {
      for (const [value, count] of [...counts].toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))) {
        places.push(sum.place);
        dayPlaces.push(day);
        dimensions.push(value.dimension);
        values.push(value.literal);
        clicks.push(count);
      }
    }
  }
  return {
    name: `add-${owner}-days`,
    text: `insert into ${owner}_days as r (${owner}_id, day, dimension, value, clicks)
           select ($1::uuid[])[place], ($2::date[])[day], dimension, value, clicks
           from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::int[])
             as t (place, day, dimension, value, clicks)
           on conflict (${owner}_id, day, dimension, value) do update set clicks = r.clicks + excluded.clicks`,
    values: [
      sqlArray(sums.map(({ id }) => id)),
      sqlArray(days.map(({ date }) => date)),
      ...[places, dayPlaces, dimensions, values, clicks].map(sqlArray),
    ],
  };
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
