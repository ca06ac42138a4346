import type { PoolClient } from "pg";
import { edgeValues, hasEdges, rawByValue, rawClicks } from "./breakdown-sql.ts";
import type { AnalyticsScope, Breakdowns } from "./question.ts";
import { breakdownsFrom, type ValueRow } from "./packed-breakdowns.ts";
import { overlap } from "../kernel/async/waiting.ts";
import { dates } from "./sql.ts";
import { type SignedSums, ValueSums } from "./value-sums.ts";
import type { BreakdownPlan } from "./window-plan.ts";

const rawLinks = "select 'link', link_id::text, sum(clicks) from raw where link_id is not null group by 2";

/** SQL: the head of sums, or all of them if they have none. */
const sumsOrHead = "coalesce(head, packed) as packed, head is not null";

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
  const counting = hasEdges(raw) ? countRaw(database, scope, raw) : Promise.resolve([]);
  const rows = await overlap(counting, () => sums.add(packed));
  return breakdownsFrom(database, sums, rows, async () => [...(await readPacked(false)), ...hours]);
}

/** Counts clicks at the edges of the window. Planning a statement on raw clicks takes longer than the rest. */
async function countRaw(
  database: PoolClient,
  scope: AnalyticsScope,
  raw: BreakdownPlan["raw"],
): Promise<ValueRow[]> {
  const { rows } = await database.query<ValueRow>({
    name: "account-raw-values",
    text: rawByValue(rawClicks(1, 2, 8), rawLinks),
    values: [scope.id, ...(await edgeValues(database, scope, raw))],
  });
  return rows;
}
