import type { PoolClient } from "pg";
import {
  type BreakdownRow,
  breakdownsOf,
  maxListed,
  rawClicks,
  rawValues,
  valueOrder,
} from "./breakdown-sql.ts";
import type { Breakdowns } from "./breakdowns.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, partOf } from "./sql.ts";
import type { BreakdownPlan } from "./window-plan.ts";

/** Reads a link's breakdowns in a window. A link has few enough rollup rows to add up all of them. */
export async function readLinkBreakdowns(
  database: Pick<PoolClient, "query">,
  { id, accountId }: AnalyticsScope,
  { days, raw }: BreakdownPlan,
): Promise<Breakdowns> {
  const { rows } = await database.query<BreakdownRow>({
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
             select * from sums where dimension = 'referrer' order by clicks desc, ${valueOrder} limit ${maxListed}
           )`,
    values: [id, accountId, ...dates(days), ...partOf(raw.start), ...partOf(raw.end)],
  });
  return breakdownsOf(rows);
}
