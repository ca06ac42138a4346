import type { PoolClient } from "pg";
import { edgeValues, hasEdges, rawClicks, rawValues } from "./breakdown-sql.ts";
import type { AnalyticsScope, Breakdowns } from "./question.ts";
import { breakdownsFrom, type ValueRow } from "./packed-breakdowns.ts";
import { overlap } from "../kernel/async/waiting.ts";
import { dates } from "./sql.ts";
import { type SignedSums, ValueSums } from "./value-sums.ts";
import type { BreakdownPlan } from "./window-plan.ts";

const rawLinks = "select 'link', link_id::text, sum(clicks) from raw where link_id is not null group by 2";

/** SQL: sums, or their head if it is right: a version before may have appended to them. */
const hasHead = "(head is not null and head_of = octet_length(packed))";
const sumsOrHead = `case when ${hasHead} then head else packed end as packed, ${hasHead}`;

/** Reads an account's breakdowns in a window; `hours` are the sums of what is not in its plan. */
export async function readAccountBreakdowns(
  database: PoolClient,
  scope: AnalyticsScope,
  { months, days, daysAfter, raw }: BreakdownPlan,
  hours: readonly SignedSums[],
): Promise<Breakdowns> {
  const { id } = scope;
  const periods = [...dates(months), ...dates(days), ...dates(daysAfter)];
  const readPacked = async (heads: boolean) => {
    const sums = heads ? sumsOrHead : "packed, false";
    const { rows } = await database.query<SignedSums>({
      name: `account-packed-values-${heads}`,
      text: `select 1 as sign, ${sums} as "isHead" from account_sums
               where account_id = $1 and period = 'month' and start >= $2 and start < $3
             union all
             select 1, ${sums} from account_sums
               where account_id = $1 and period = 'day' and start >= $4 and start < $5
             union all
             select -1, packed, false from account_sums
               where account_id = $1 and period = 'day' and start >= $6 and start < $7`,
      values: [id, ...periods],
    });
    return rows;
  };
  const sums = new ValueSums();
  const packed = await overlap(readPacked(true), () => sums.add(hours));
  const hasRaw = hasEdges(raw);
  const edges = hasRaw ? await edgeValues(database, scope, raw) : [];
  // Planning a statement on raw clicks takes longer than the rest.
  const counting = database.query<ValueRow>({
    name: `account-values-${hasRaw}`,
    text: `${hasRaw ? `with raw as materialized (${rawClicks(1, 8, 14)})` : ""}
           select dimension, value, t.clicks, c.id
           from (
             select dimension, value, sum(clicks) as clicks from (
               select dimension, value, clicks from account_month_values
                 where account_id = $1 and month >= $2 and month < $3
               union all
               select dimension, value, clicks from account_day_values
                 where account_id = $1 and day >= $4 and day < $5
               union all
               select dimension, value, -clicks from account_day_values
                 where account_id = $1 and day >= $6 and day < $7
               ${hasRaw ? `union all ${rawValues} union all ${rawLinks}` : ""}
             ) t group by 1, 2
           ) t left join click_values c using (dimension, value)`,
    values: [id, ...periods, ...edges],
  });
  const { rows } = await overlap(counting, () => sums.add(packed));
  return breakdownsFrom(database, sums, rows, async () => [...(await readPacked(false)), ...hours]);
}
