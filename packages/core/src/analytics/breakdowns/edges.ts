import { clientDimensionRows, referrerDimensionRows } from "../../clicks/dimensions.ts";
import type { Key, Sum } from "../../clicks/blocks/count.ts";
import { sqlArray } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import { cell, countBlocks } from "../questions/count.ts";
import { selectionOf } from "../questions/conditions.ts";
import type { AnalyticsScope } from "../question.ts";
import { type BreakdownPlan, partOf } from "../periods/plan.ts";

/** Clicks at the two edges of a window, which no rollup has: they are counted from raw clicks. */

/** Maximum length of the lists that are truncated (referrers and links). */
export const maxListed = 100;

/** Clicks of a value in rows. `id` is its id in packed sums; null if there is none. */
export interface ValueRow {
  dimension: string;
  value: string;
  clicks: string;
  id: number | null;
}

/** Counts the edges by value, each with its sign. Planning a statement on raw clicks takes longer than the rest. */
export async function readEdges(
  database: Database,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
): Promise<ValueRow[]> {
  if (!hasEdges(edges)) return [];
  const { kind, id, accountId } = scope;
  const { rows } = await database.query<ValueRow>({
    name: `${kind}-raw-values`,
    text: edgesByValue(kind),
    values: [
      accountId,
      ...partOf(edges.start),
      ...partOf(edges.end),
      ...(await edgesInBlocks(database, scope, edges)),
      ...(kind === "link" ? [id] : []),
    ],
  });
  return rows;
}

/** The keys by which edges are counted, each separately, in blocks and in statements. */
const edgeKeys = ["link", "client", "referrer", "variant"] as const;

const edgesByValue = (kind: AnalyticsScope["kind"]) => `
  with raw as materialized (${[2, 5]
    .map(
      (at) => `select $${at}::int as clicks, link_id, client_id, referrer_id, variant from clicks
        where account_number = (select number from workspaces where id = $1) and not is_bot
          and id >= $${at + 1}::bigint and id < $${at + 2}::bigint ${kind === "link" ? "and link_id = $13" : ""}`,
    )
    .join(" union all ")}
    union all select clicks, v.value::uuid, client, referrer, variant
    from (select ${["clicks", ...edgeKeys]
      .map((name, at) => `unnest($${8 + at}::int[]) as ${name}`)
      .join()}) b
      left join click_values v on v.id = link)
  select dimension, value, t.clicks, c.id
  from (
    select dimension, value, sum(clicks) as clicks from (
      select v.dimension, v.value, r.clicks
      from (select client_id, sum(clicks) as clicks from raw group by 1) r
        join click_clients c on c.id = r.client_id,
        lateral (values ${clientDimensionRows}) v (dimension, value)
      union all
      select v.dimension, v.value, r.clicks
      from (select referrer_id, sum(clicks) as clicks from raw group by 1) r
        join click_referrers c on c.id = r.referrer_id,
        lateral (values ${referrerDimensionRows}) v (dimension, value)
      union all ${ownValues[kind]}
    ) t group by 1, 2
  ) t left join click_values c using (dimension, value)`;

/** SQL: the breakdowns that only a link, or only an account, has. */
const ownValues = {
  account: "select 'link', link_id::text, sum(clicks) from raw where link_id is not null group by 2",
  link: "select 'variant', variant::text, sum(clicks) from raw where variant is not null group by 2",
};

/** Whether raw clicks are added or subtracted at all. */
export const hasEdges = (edges: BreakdownPlan["raw"]): boolean =>
  Object.values(edges).some(({ range: [from, to] }) => from < to);

/** What blocks have of the edges: a column of clicks, and one for each key. */
async function edgesInBlocks(
  database: Database,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
): Promise<string[]> {
  const clicks: number[] = [];
  const keys = edgeKeys.map((): (number | "null")[] => []);
  for (const { sign, groupings } of await countEdges(database, scope, edges, edgeKeys)) {
    for (const [grouping, sums] of groupings.entries()) {
      for (const sum of sums) {
        clicks.push(sign * sum.clicks);
        for (const [key, column] of keys.entries())
          column.push(key === grouping ? cell(sum.values[0]) : "null");
      }
    }
  }
  return [sqlArray(clicks), ...keys.map((column) => sqlArray(column))];
}

/** The sums of the clicks in blocks of each edge, grouped by each key separately. */
export async function countEdges(
  database: Database,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
  keys: readonly Key[],
  isBot = false,
): Promise<{ sign: number; groupings: Sum[][] }[]> {
  if (!hasEdges(edges)) return [];
  const selection = await selectionOf(database, scope, [], "");
  const counted: { sign: number; groupings: Sum[][] }[] = [];
  for (const { sign, range } of Object.values(edges)) {
    const [from, to] = range;
    const by = keys.map((key) => [key]);
    counted.push({ sign, groupings: await countBlocks(selection, { from, to }, by, { isBot }) });
  }
  return counted;
}
