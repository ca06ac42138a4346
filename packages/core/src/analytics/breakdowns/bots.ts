import { none } from "../../clicks/blocks/block.ts";
import { sqlArray } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import type { Report } from "../analytics.schema.ts";
import { countEdges, hasEdges } from "./edges.ts";
import { unknown } from "./lists.ts";
import type { SignedBots } from "./hours.ts";
import type { AnalyticsScope, BotCount } from "../question.ts";
import { type BreakdownPlan, dates, partOf } from "../periods/plan.ts";

/** Reads why visits in a window were bots', from the rollup by day and, for parts of days, from `hours` and raw clicks. */
export async function readBots(
  database: Database,
  scope: AnalyticsScope,
  { wholeDays, raw }: Pick<BreakdownPlan, "wholeDays" | "raw">,
  hours: readonly SignedBots[],
): Promise<BotCount[]> {
  const { kind, id, accountId } = scope;
  const hasRaw = hasEdges(raw);
  const edges = await countEdges(database, scope, raw, ["bot"], true);
  const inBlocks = edges.flatMap(({ sign, groupings: [sums = []] }) =>
    sums.map(({ values: [botId = none], clicks }) => ({ botId, bots: sign * clicks })),
  );
  const counted = [...hours, ...inBlocks];
  const { rows } = await database.query<BotCount>({
    name: `${kind}-bots-${hasRaw}`,
    text: `select bot, rule, sum(bots)::float8 as clicks from (
             select bot_id, bots from ${kind}_bots where ${kind}_id = $1 and day >= $2 and day < $3
             union all
             select unnest($4::int[]), unnest($5::int[])
             ${hasRaw ? rawBots(kind) : ""}
           ) t left join click_bots on click_bots.id = bot_id group by 1, 2 having sum(bots) > 0`,
    values: [
      id,
      ...dates(wholeDays),
      sqlArray(counted.map(({ botId }) => botId)),
      sqlArray(counted.map(({ bots }) => bots)),
      ...(hasRaw ? [accountId, ...partOf(raw.start), ...partOf(raw.end)] : []),
    ],
  });
  return rows;
}

/** SQL: raw clicks at the two edges of a window. */
const rawBots = (kind: AnalyticsScope["kind"]): string =>
  [7, 10]
    .map(
      (at) => `
        union all
        select bot_id, $${at}::int * count(*) from clicks
        where account_number = (select number from workspaces where id = $6) and is_bot
          and id >= $${at + 1}::bigint and id < $${at + 2}::bigint ${kind === "link" ? "and link_id = $1" : ""}
        group by 1`,
    )
    .join("");

/** A report's list of bots, most visits first, ties by name. It adds up to `total`. */
export function botList(counts: readonly BotCount[], total: number): Report["bots_by"] {
  const known = counts.flatMap(({ bot, rule, clicks }) =>
    bot === null || rule === null ? [] : [{ bot, rule, clicks }],
  );
  const rest = total - known.reduce((sum, { clicks }) => sum + clicks, 0);
  return [...known, ...(rest > 0 ? [{ bot: unknown, rule: unknown, clicks: rest }] : [])].toSorted(
    (a, b) => b.clicks - a.clicks || (`${a.bot} ${a.rule}` < `${b.bot} ${b.rule}` ? -1 : 1),
  );
}
