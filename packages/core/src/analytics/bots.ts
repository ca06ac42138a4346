import type { PoolClient } from "pg";
import type { Report } from "./analytics.schema.ts";
import { none, type Sum } from "../clicks/index.ts";
import { unknown } from "./breakdowns.ts";
import { countBlocks } from "./questions/blocks.ts";
import { selectionOf } from "./questions/conditions.ts";
import type { AnalyticsScope } from "./series.ts";
import { dates, idsOf } from "./sql.ts";
import { planSeries, type Range } from "./window-plan.ts";

/** Visits of bots with the same reason, as they are stored; null where that is not known. */
export interface BotCount {
  bot: string | null;
  rule: string | null;
  clicks: number;
}

interface Row {
  bot: string | null;
  rule: string | null;
  clicks: string;
}

export const botCountsOf = (rows: readonly Row[]): BotCount[] =>
  rows.map(({ clicks, ...reason }) => ({ ...reason, clicks: Number(clicks) }));

/** Reads why visits in a window were bots', from the rollup by day and, for parts of days, from raw clicks. */
export async function readBots(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  { from, to }: { from: number; to: number },
): Promise<BotCount[]> {
  const { kind, id, accountId } = scope;
  const { days, quarterHours } = planSeries([from, to]);
  const blocks = await botsInBlocks(database, scope, quarterHours);
  const hasParts = quarterHours.length > 0;
  const { rows } = await database.query<Row>({
    name: `${kind}-bots-${hasParts}`,
    text: `select bot, rule, sum(bots) as clicks from (
             select bot_id, bots from unnest($2::date[], $3::date[]) as r (first, until), lateral (
               select bot_id, bots from ${kind}_bots where ${kind}_id = $1 and day >= first and day < until
             ) d ${hasParts ? partsOfDays(kind) : ""}
           ) t left join click_bots on click_bots.id = bot_id group by 1, 2`,
    values: [
      id,
      ...columnsOf(days.map(dates)),
      ...(hasParts
        ? [
            accountId,
            ...columnsOf(quarterHours.map(idsOf)),
            blocks.map(({ values: [bot] }) => bot),
            blocks.map(({ clicks }) => clicks),
          ]
        : []),
    ],
  });
  return botCountsOf(rows);
}

/** SQL: parts of days, from raw clicks. */
const partsOfDays = (kind: AnalyticsScope["kind"]): string => `
  union all
  select bot_id, c.bots from unnest($5::bigint[], $6::bigint[]) as r (first, until), lateral (
    select bot_id, count(*) as bots from clicks
    where account_number = (select number from users where id = $4) and is_bot and id >= first and id < until
      and bot_id is not null ${kind === "link" ? "and link_id = $1" : ""}
    group by 1
  ) c
  union all
  select unnest($7::int[]), unnest($8::int[])`;

/** Bots with a known reason in blocks, by the id of that. */
async function botsInBlocks(
  database: Pick<PoolClient, "query">,
  scope: AnalyticsScope,
  ranges: readonly Range[],
): Promise<Sum[]> {
  if (ranges.length === 0) return [];
  const selection = await selectionOf(database, scope, [], "");
  const found: Sum[] = [];
  for (const [from, to] of ranges) {
    const [sums = []] = await countBlocks(database, selection, { from, to }, [["bot"]], { isBot: true });
    found.push(...sums.filter(({ values: [bot] }) => bot !== none));
  }
  return found;
}

/** The first and the second elements of pairs. */
const columnsOf = (pairs: readonly (readonly string[])[]) => [
  pairs.map(([first]) => first),
  pairs.map(([, second]) => second),
];

/** A report's list of bots, most visits first, ties by name. It adds up to `total`: older versions kept no reason. */
export function botList(counts: readonly BotCount[], total: number): Report["bots_by"] {
  const known = counts.flatMap(({ bot, rule, clicks }) =>
    bot === null || rule === null ? [] : [{ bot, rule, clicks }],
  );
  const rest = total - known.reduce((sum, { clicks }) => sum + clicks, 0);
  return [...known, ...(rest > 0 ? [{ bot: unknown, rule: unknown, clicks: rest }] : [])].toSorted(
    (a, b) => b.clicks - a.clicks || (`${a.bot} ${a.rule}` < `${b.bot} ${b.rule}` ? -1 : 1),
  );
}
