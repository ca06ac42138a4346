import type { PoolClient } from "pg";
import { overlap } from "../kernel/async/waiting.ts";
import { edgeValues, hasEdges, rawByValue, rawClicks } from "./breakdown-sql.ts";
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
  const { rows: packed } = await database.query<SignedSums>({
    name: "link-packed-values",
    text: `select 1 as sign, packed from link_days
           where link_id = $1 and day >= $2 and day < $3`,
    values: [scope.id, ...dates(days)],
  });
  const counting = hasEdges(raw) ? countRaw(database, scope, raw) : Promise.resolve([]);
  const sums = new ValueSums();
  const rows = await overlap(counting, () => sums.add(packed));
  return breakdownsFrom(database, sums, rows);
}

/** Counts clicks at the edges of the window. */
async function countRaw(
  database: PoolClient,
  scope: AnalyticsScope,
  raw: BreakdownPlan["raw"],
): Promise<ValueRow[]> {
  const { rows } = await database.query<ValueRow>({
    name: "link-raw-values",
    text: rawByValue(rawClicks(2, 3, 9, "and link_id = $1"), rawVariants),
    values: [scope.id, scope.accountId, ...(await edgeValues(database, scope, raw))],
  });
  return rows;
}
