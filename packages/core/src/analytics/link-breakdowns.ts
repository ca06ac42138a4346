import type { PoolClient } from "pg";
import { overlap } from "../kernel/async/waiting.ts";
import { edgeValues, hasEdges, rawClicks, rawValues } from "./breakdown-sql.ts";
import type { AnalyticsScope, Breakdowns } from "./question.ts";
import { breakdownsFrom, type ValueRow } from "./packed-breakdowns.ts";
import { dates } from "./sql.ts";
import { type SignedSums, ValueSums } from "./value-sums.ts";
import type { BreakdownPlan } from "./window-plan.ts";

const rawVariants =
  "select 'variant', variant::text, sum(clicks) from raw where variant is not null group by 2";

/** Reads a link's breakdowns in a window. */
export async function readLinkBreakdowns(
  database: PoolClient,
  scope: AnalyticsScope,
  { days, raw }: BreakdownPlan,
): Promise<Breakdowns> {
  const { id, accountId } = scope;
  const { rows: packed } = await database.query<SignedSums>({
    name: "link-packed-values",
    text: `select 1 as sign, packed from link_days
           where link_id = $1 and day >= $2 and day < $3 and packed is not null`,
    values: [id, ...dates(days)],
  });
  const hasRaw = hasEdges(raw);
  const edges = hasRaw ? [accountId, ...(await edgeValues(database, scope, raw))] : [];
  const counting = database.query<ValueRow>({
    name: `link-values-${hasRaw}`,
    text: `${hasRaw ? `with raw as materialized (${rawClicks(4, 5, 11, "and link_id = $1")})` : ""}
           select dimension, value, t.clicks, c.id
           from (
             select dimension, value, sum(clicks) as clicks from (
               select dimension, value, clicks from link_day_values where link_id = $1 and day >= $2 and day < $3
               ${hasRaw ? `union all ${rawValues} union all ${rawVariants}` : ""}
             ) t group by 1, 2
           ) t left join click_values c using (dimension, value)`,
    values: [id, ...dates(days), ...edges],
  });
  const sums = new ValueSums();
  const { rows } = await overlap(counting, () => sums.add(packed));
  return breakdownsFrom(database, sums, rows);
}
