import type { PoolClient } from "pg";
import type { StoredClick } from "./stored-click.ts";
import type { Tally } from "./tally.ts";

/** The writing half of a drain's transaction: one prepared statement a table, whole batches as arrays. */

export async function addClicks(
  client: PoolClient,
  clicks: readonly StoredClick[],
  idAt: (time: number) => string,
  clientIdOf: (click: StoredClick) => number,
): Promise<void> {
  await client.query({
    name: "add-clicks",
    text: `insert into clicks (id, link_id, account_id, client_id, variant, is_bot, is_unique)
           select * from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::int[], $5::smallint[], $6::bool[], $7::bool[])`,
    values: [
      clicks.map(({ time }) => idAt(time)),
      clicks.map(({ link_id }) => link_id),
      clicks.map(({ account_id }) => account_id),
      clicks.map(clientIdOf),
      clicks.map(({ variant }) => variant),
      clicks.map(({ is_bot }) => is_bot),
      clicks.map(({ is_unique }) => is_unique),
    ],
  });
}

/** Adds a batch's sums to one owner's rollups; for links to their `click_count` as well. */
export async function addToRollups(
  client: PoolClient,
  owner: "link" | "account",
  { hours, days, counts }: Tally,
): Promise<void> {
  await client.query({
    name: `add-${owner}-hours`,
    text: `insert into ${owner}_hours as r (${owner}_id, hour, clicks, visitors, bots)
           select id, to_timestamp(hour), clicks, visitors, bots
           from unnest($1::uuid[], $2::float8[], $3::int[], $4::int[], $5::int[]) as t (id, hour, clicks, visitors, bots)
           on conflict (${owner}_id, hour) do update set
             clicks = r.clicks + excluded.clicks,
             visitors = r.visitors + excluded.visitors,
             bots = r.bots + excluded.bots`,
    values: [
      hours.map(({ id }) => id),
      hours.map(({ hour }) => hour / 1000),
      hours.map(({ clicks }) => clicks),
      hours.map(({ visitors }) => visitors),
      hours.map(({ bots }) => bots),
    ],
  });
  await client.query({
    name: `add-${owner}-days`,
    text: `insert into ${owner}_days as r (${owner}_id, day, dimension, value, clicks)
           select * from unnest($1::uuid[], $2::date[], $3::text[], $4::text[], $5::int[])
           on conflict (${owner}_id, day, dimension, value) do update set clicks = r.clicks + excluded.clicks`,
    values: [
      days.map(({ id }) => id),
      days.map(({ day }) => day),
      days.map(({ dimension }) => dimension),
      days.map(({ value }) => value),
      days.map(({ clicks }) => clicks),
    ],
  });
  if (owner === "account") return;
  await client.query({
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks
           from unnest($1::uuid[], $2::int[]) as t (id, clicks) where links.id = t.id`,
    values: [counts.map(({ id }) => id), counts.map(({ clicks }) => clicks)],
  });
}
