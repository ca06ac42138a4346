import type { QueryConfig } from "pg";
import type { Client } from "./description.ts";
import type { Batch, PreparedClick } from "./prepare.ts";
import { sqlArray } from "./sql-array.ts";
import type { Sums } from "./tally.ts";

/** The writing half of a drain's transaction: one prepared statement a table, whole batches as arrays. */

export function addClicks(
  { clicks, accounts }: Batch,
  clients: ReadonlyMap<Client, number>,
  unique: ReadonlySet<PreparedClick>,
  idAt: (time: number) => string,
): QueryConfig {
  return {
    name: "add-clicks",
    text: `insert into clicks (id, link_id, account_id, client_id, variant, is_bot, is_unique)
           select * from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::int[], $5::smallint[], $6::bool[], $7::bool[])`,
    values: [
      sqlArray(clicks.map(({ time }) => idAt(time))),
      sqlArray(clicks.map(({ link_id }) => link_id)),
      sqlArray(clicks.map(({ link_id }) => accounts.get(link_id) ?? "null")),
      sqlArray(clicks.map(({ client }) => clients.get(client) ?? 0)),
      sqlArray(clicks.map(({ variant }) => variant ?? "null")),
      sqlArray(clicks.map(({ is_bot }) => is_bot)),
      sqlArray(clicks.map((click) => unique.has(click))),
    ],
  };
}

/** Adds to the hours of one kind of owner. */
export function addHours(owner: "link" | "account", sums: readonly Sums[]): QueryConfig {
  const rows = sums.flatMap(({ id, hours }) =>
    [...hours].toSorted(([a], [b]) => a - b).map(([hour, counts]) => ({ id, hour, ...counts })),
  );
  return {
    name: `add-${owner}-hours`,
    text: `insert into ${owner}_hours as r (${owner}_id, hour, clicks, visitors, bots)
           select id, to_timestamp(hour), clicks, visitors, bots
           from unnest($1::uuid[], $2::float8[], $3::int[], $4::int[], $5::int[]) as t (id, hour, clicks, visitors, bots)
           on conflict (${owner}_id, hour) do update set
             clicks = r.clicks + excluded.clicks,
             visitors = r.visitors + excluded.visitors,
             bots = r.bots + excluded.bots`,
    values: [
      sqlArray(rows.map(({ id }) => id)),
      sqlArray(rows.map(({ hour }) => hour / 1000)),
      sqlArray(rows.map(({ clicks }) => clicks)),
      sqlArray(rows.map(({ visitors }) => visitors)),
      sqlArray(rows.map(({ bots }) => bots)),
    ],
  };
}

/** Adds to the days and dimensions of one kind of owner. */
export function addDays(owner: "link" | "account", sums: readonly Sums[]): QueryConfig {
  const rows = sums.flatMap(({ id, days }) =>
    [...days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([day, counts]) =>
        [...counts]
          .toSorted(([a], [b]) => (a.key < b.key ? -1 : 1))
          .map(([value, clicks]) => ({ id, day, value, clicks })),
      ),
  );
  return {
    name: `add-${owner}-days`,
    text: `insert into ${owner}_days as r (${owner}_id, day, dimension, value, clicks)
           select * from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::int[])
           on conflict (${owner}_id, day, dimension, value) do update set clicks = r.clicks + excluded.clicks`,
    values: [
      sqlArray(rows.map(({ id }) => id)),
      sqlArray(rows.map(({ day }) => day)),
      sqlArray(rows.map(({ value }) => value.dimension)),
      sqlArray(rows.map(({ value }) => value.literal)),
      sqlArray(rows.map(({ clicks }) => clicks)),
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
