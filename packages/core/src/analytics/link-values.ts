import type { PoolClient } from "pg";
import type { ValuesPlan } from "./window-plan.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, partOf } from "./sql.ts";
import { maxListed, rawClicks, rawValues, shown, type ValueRow, type Values, valuesOf } from "./values.ts";

/** The values of one link in a window. A link's rollups are few enough to add up all of them. */
export async function linkValues(
  database: Pick<PoolClient, "query">,
  { id, accountId }: AnalyticsScope,
  { days, raw }: ValuesPlan,
): Promise<Values> {
  const { rows } = await database.query<ValueRow>({
    name: "link-values",
    text: `with raw as materialized (${rawClicks(2, 5, "and link_id = $1")}),
           sums as (
             select dimension, value, sum(clicks) as clicks from (
               select dimension, value, clicks from link_day_values where link_id = $1 and day >= $3 and day < $4
               union all ${rawValues}
               union all select 'variant', variant::text, sum(sign) from raw where variant is not null group by 2
             ) t group by 1, 2 having sum(clicks) > 0
           )
           select * from sums where dimension <> 'referrer'
           union all (
             select * from sums where dimension = 'referrer' order by clicks desc, ${shown} limit ${maxListed}
           )`,
    values: [id, accountId, ...dates(days), ...partOf(raw.start), ...partOf(raw.end)],
  });
  return valuesOf(rows);
}
