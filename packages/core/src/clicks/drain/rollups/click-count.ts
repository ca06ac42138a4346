import type { PoolClient, QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { timeIn } from "../../click-id.ts";
import { lastClicksInBlocks } from "../../blocks/all-blocks.ts";
import type { Sums } from "../prepare/tally.ts";

/** Clicks of people on a link, in a batch. */
export const clicksOf = (link: Sums): number => link.days().reduce((sum, { clicks }) => sum + clicks, 0);

/**
 * Adds a batch to the links' own counts, and notes when each was last clicked. Rows are locked by id, in the same order on
 * every node. Batches may come in any order.
 */
export function addClickCounts(links: readonly Sums[]): QueryConfig {
  const { table, values } = sqlColumns(1, {
    id: ["uuid", sqlArray(links.map(({ id }) => id))],
    clicks: ["int", sqlArray(links.map(clicksOf))],
    last_click: ["bigint", sqlArray(links.map(({ lastClick }) => lastClick || "null"))],
    fallbacks: ["int", sqlArray(links.map((link) => link.fallbacks))],
  });
  return {
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks, fallbacks = links.fallbacks + t.fallbacks,
             last_click_at = greatest(last_click_at, to_timestamp(t.last_click / 1000.0))
           from (
             select id, clicks, last_click, t.fallbacks from ${table} join links using (id) order by id for no key update of links
           ) t where links.id = t.id`,
    values,
  };
}

/**
 * Sets each link's count to the sum of its days, including days whose raw clicks were dropped, and its last click to the
 * time of its last raw click. If that was dropped, its quarter hour is still known. Returns the number of links that were
 * wrong.
 */
export async function repairClickCounts(database: PoolClient): Promise<number> {
  const inBlocks = await lastClicksInBlocks(database, { from: 0, to: Date.parse("9999-12-31") });
  const { rowCount } = await database.query(
    `update links set click_count = t.clicks, last_click_at = t.last
     from (
       select id, coalesce(d.clicks, 0) as clicks, e.last
       from links
       left join (select link_id as id, sum(clicks) as clicks from link_days group by 1) d using (id)
       left join (
         select link_id as id, max(start) as start from (
           select link_id, start from link_quarter_hours where clicks > 0
           union all
           select link_id, (day + key * interval '15 minutes') at time zone 'UTC'
           from (
             select distinct on (link_id) link_id, day, packed from link_days
             where clicks > 0 and packed is not null order by link_id, day desc
           ) d, unpack_sums(packed) u
           where u.dimension is null and u.clicks > 0
         ) t group by 1
       ) q using (id)
       left join (
         select id, to_timestamp(max(time) / 1000.0) as at from (
           select link_id as id, ${timeIn("max(id)")} as time from clicks where not is_bot group by 1
           union all
           select v.value::uuid, b.time from unnest($1::int[], $2::bigint[]) as b (link, time)
             join click_values v on v.id = b.link
         ) t group by 1
       ) c using (id),
       lateral (
         select (case when c.at >= q.start then c.at
           when last_click_at >= q.start and last_click_at < q.start + interval '15 minutes' then last_click_at
           else q.start end)::timestamptz(3) as last
       ) e
       where click_count <> coalesce(d.clicks, 0) or last_click_at is distinct from e.last
       order by id for no key update of links
     ) t where links.id = t.id`,
    [[...inBlocks.keys()], [...inBlocks.values()]],
  );
  return rowCount ?? 0;
}
