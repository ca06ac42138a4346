import type { PoolClient, QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../../../db/sql-array.ts";
import type { Sums } from "../prepare/tally.ts";

/** Adds a batch to the links' own counts. Rows are locked by id, in the same order on every node. */
export function addClickCounts(links: readonly Sums[]): QueryConfig {
  const { table, values } = sqlColumns(1, {
    id: ["uuid", sqlArray(links.map(({ id }) => id))],
    clicks: ["int", sqlArray(links.map((link) => link.days().reduce((sum, { clicks }) => sum + clicks, 0)))],
  });
  return {
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks
           from (
             select id, clicks from ${table} join links using (id) order by id for no key update of links
           ) t where links.id = t.id`,
    values,
  };
}

/**
 * Sets each link's count to the sum of its days, including days whose raw clicks were dropped. Returns the number of
 * links that were wrong.
 */
export async function repairClickCounts(database: PoolClient): Promise<number> {
  const { rowCount } = await database.query(
    `update links set click_count = t.clicks
     from (
       select id, coalesce(d.clicks, 0) as clicks
       from links left join (select link_id as id, sum(clicks) as clicks from link_days group by 1) d using (id)
       where click_count <> coalesce(d.clicks, 0) order by id for no key update of links
     ) t where links.id = t.id`,
  );
  return rowCount ?? 0;
}
