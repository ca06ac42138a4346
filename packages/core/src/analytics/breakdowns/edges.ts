import type { PoolClient } from "pg";
import { clientDimensionRows, referrerDimensionRows } from "../../clicks/dimensions.ts";
import type { Key, Sum } from "../../clicks/blocks/count.ts";
import { sqlArray } from "../../db/arrays.ts";
import { cell, countBlocks } from "../questions/count.ts";
import { selectionOf } from "../questions/conditions.ts";
import type { AnalyticsScope } from "../question.ts";
import { type BreakdownPlan, partOf } from "../periods/plan.ts";

/** What the breakdowns of a link and of an account have in common in SQL. */

/** Maximum length of the lists that are truncated (referrers and links). */
export const maxListed = 100;

/**
 * SQL: clicks at the two edges of a window, each with the sign of its part. `account` is the number of the parameter with
 * the account's id, `start` and `blocks` those of the values of `edgeValues`, which has six before those of blocks.
 */
export const rawClicks = (account: number, start: number, blocks: number, condition = "") =>
  [
    ...[start, start + 3].map(
      (at) => `select $${at}::int as clicks, link_id, client_id, referrer_id, variant from clicks
        where account_number = (select number from users where id = $${account}) and not is_bot
          and id >= $${at + 1}::bigint and id < $${at + 2}::bigint ${condition}`,
    ),
    `select clicks, v.value::uuid, client_id, referrer_id, variant
     from (select ${["clicks", ...edgeKeys.map(([, column]) => column)]
       .map((name, at) => `unnest($${blocks + at}::int[]) as ${name}`)
       .join()}) b
       left join click_values v on v.id = link`,
  ].join(" union all ");

/** SQL: raw clicks by value, of dimensions of the client and of the referrer, and of one more. */
export const rawByValue = (raw: string, one: string) => `
  with raw as materialized (${raw})
  select dimension, value, t.clicks, c.id
  from (
    select dimension, value, sum(clicks) as clicks from (${rawValues} union all ${one}) t group by 1, 2
  ) t left join click_values c using (dimension, value)`;

/** Raw clicks (a table `raw`) by dimension of the client and of the referrer. */
const rawValues = `
  select v.dimension, v.value, r.clicks
  from (select client_id, sum(clicks) as clicks from raw group by 1) r
    join click_clients c on c.id = r.client_id,
    lateral (values ${clientDimensionRows}) v (dimension, value)
  union all
  select v.dimension, v.value, r.clicks
  from (select referrer_id, sum(clicks) as clicks from raw group by 1) r
    join click_referrers c on c.id = r.referrer_id,
    lateral (values ${referrerDimensionRows}) v (dimension, value)`;

/** What the edges are counted by, each for itself, in blocks and in statements. */
const edgeKeys = [
  ["link", "link"],
  ["client", "client_id"],
  ["referrer", "referrer_id"],
  ["variant", "variant"],
] as const;

/** Whether raw clicks are added or subtracted at all. */
export const hasEdges = (edges: BreakdownPlan["raw"]): boolean =>
  Object.values(edges).some(({ range: [from, to] }) => from < to);

/** Values of the parameters of `rawClicks`: of each edge its sign and the bounds of its click ids, and what blocks have. */
export const edgeValues = async (
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
): Promise<unknown[]> => [
  ...partOf(edges.start),
  ...partOf(edges.end),
  ...(await edgesInBlocks(database, scope, edges)),
];

/** What blocks have of the edges: a column of clicks, and one for each key. */
async function edgesInBlocks(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
): Promise<string[]> {
  const clicks: number[] = [];
  const keys = edgeKeys.map((): (number | "null")[] => []);
  const by = edgeKeys.map(([key]) => key);
  for (const { sign, groupings } of await countEdges(database, scope, edges, by)) {
    for (const [at, sums] of groupings.entries()) {
      for (const sum of sums) {
        clicks.push(sign * sum.clicks);
        for (const [place, column] of keys.entries())
          column.push(place === at ? cell(sum.values[0]) : "null");
      }
    }
  }
  return [sqlArray(clicks), ...keys.map((column) => sqlArray(column))];
}

/** The sums of the clicks in blocks of each edge, grouped by each key for itself. */
export async function countEdges(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  edges: BreakdownPlan["raw"],
  keys: readonly Key[],
  options: { isBot?: boolean } = {},
): Promise<{ sign: number; groupings: Sum[][] }[]> {
  const parts = Object.values(edges).filter(({ range: [from, to] }) => from < to);
  if (parts.length === 0) return [];
  const selection = await selectionOf(database, scope, [], "");
  const by = keys.map((key) => [key]);
  const counted: { sign: number; groupings: Sum[][] }[] = [];
  for (const { sign, range } of parts) {
    const [from, to] = range;
    counted.push({ sign, groupings: await countBlocks(database, selection, { from, to }, by, options) });
  }
  return counted;
}
