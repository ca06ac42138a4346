import type { Base } from "../../db/base.ts";
import type { PoolClient } from "pg";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { botCountsOf } from "../breakdowns/bots.ts";
import type {
  AnalyticsScope,
  Answer,
  BotCount,
  ClickQuestion,
  Counts,
  Filters,
  Groups,
} from "../question.ts";
import { readHistory } from "../periods/history.ts";
import { countBlocks, keyColumn, totalOf } from "./count.ts";
import { inRange, type Selection, selectionOf } from "./conditions.ts";
import { readFiltered } from "./filtered.ts";
import { readGroups } from "./groups.ts";
import { type ClickSource, requireRawClicks, historyIn } from "./source.ts";

/** Answers questions from raw clicks, which no rollup can answer. */

/** Answers a question. `before` must not begin before the raw clicks do. */
export async function answer(
  database: Pick<PoolClient, "query">,
  { shortHost }: Pick<Base, "shortHost">,
  { scope, window, before, filters }: ClickQuestion,
  { copied }: ClickSource,
): Promise<Answer> {
  const selection = await selectionOf(database, scope, filters, shortHost.host, copied);
  const { series, breakdowns } = await readFiltered(database, selection, [...window.starts, window.to]);
  const botsBy = await readFilteredBots(database, selection, window);
  return {
    series,
    breakdowns,
    bots: botsBy.reduce((sum, { clicks }) => sum + clicks, 0),
    botsBy,
    previous: before ? await countFiltered(database, selection, before) : null,
  };
}

/** The groups that a question asks for; null if it asks for none. `before` as in `answer`. */
export async function answerGroups(
  database: Pick<PoolClient, "query">,
  { shortHost }: Pick<Base, "shortHost">,
  question: ClickQuestion,
  { copied }: ClickSource,
): Promise<Groups | null> {
  if (question.groupBy.length === 0) return null;
  const { scope, filters } = question;
  const selection = await selectionOf(database, scope, filters, shortHost.host, copied);
  return readGroups(database, selection, question, shortHost.host);
}

/** Reads the counts of a link between each two of `bounds`, as `readSeries` does. */
export async function readFilteredSeries(
  database: Pick<PoolClient, "query">,
  { shortHost }: Pick<Base, "shortHost">,
  scope: AnalyticsScope,
  filters: Filters,
  bounds: readonly number[],
  source: ClickSource,
): Promise<Counts[]> {
  const history = historyIn(await readHistory(database, scope), source);
  requireRawClicks({ from: bounds[0] as number }, history, source);
  const selection = await selectionOf(database, scope, filters, shortHost.host, source.copied);
  return (await readFiltered(database, selection, bounds)).series;
}

/** Counts the clicks and visitors of a window. */
async function countFiltered(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  { from, to }: { from: number; to: number },
): Promise<Counts> {
  const { condition, kind, values } = inRange(selection, from, to);
  const [sums = []] = await countBlocks(database, selection, { from, to }, [[]]);
  const { rows } = await database.query<Record<keyof Counts, string>>(
    `select count(*) as clicks, count(*) filter (where is_unique) as visitors, 0 as bots
     from clicks where ${condition} and ${kind}`,
    values,
  );
  const [inRows, inBlocks] = [countsOf(rows[0]), totalOf(sums)];
  return {
    clicks: inRows.clicks + inBlocks.clicks,
    visitors: inRows.visitors + inBlocks.visitors,
    bots: 0,
  };
}

/** Reads why visits in a window were bots'. */
async function readFilteredBots(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  { from, to }: { from: number; to: number },
): Promise<BotCount[]> {
  const { condition, values } = inRange(selection, from, to);
  const [sums = []] = await countBlocks(database, selection, { from, to }, [["bot"]], { isBot: true });
  const blocks = sqlColumns(values.length + 1, {
    bot_id: keyColumn(sums, 0),
    bots: ["bigint", sqlArray(sums.map(({ clicks }) => clicks))],
  });
  const { rows } = await database.query<{ bot: string | null; rule: string | null; clicks: string }>(
    `select bot, rule, sum(bots) as clicks
     from (
       select bot_id, count(*) as bots from clicks where ${condition} and is_bot group by 1
       union all select bot_id, bots from ${blocks.table}
     ) t
       left join click_bots b on b.id = bot_id group by 1, 2`,
    [...values, ...blocks.values],
  );
  return botCountsOf(rows);
}

const countsOf = (row: { clicks: string; visitors: string } | undefined): Counts => ({
  clicks: Number(row?.clicks ?? 0),
  visitors: Number(row?.visitors ?? 0),
  bots: 0,
});
