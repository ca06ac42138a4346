import type { Base } from "../../db/base.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import type {
  AnalyticsScope,
  Answer,
  BotCount,
  ClickQuestion,
  Counts,
  Filters,
  People,
  TimeRange,
} from "../question.ts";
import { countBlocks, keyColumn } from "./count.ts";
import { inRange, type Selection, selectionOf } from "./conditions.ts";
import { readFiltered } from "./filtered.ts";
import { type ClickSource, requireRawClicks, historyIn } from "./source.ts";

/** Answers questions from raw clicks, which no rollup can answer. */

/** Answers a question about a selection. `before` must not begin before the raw clicks do. */
export async function answer(
  selection: Selection,
  { window, before }: Pick<ClickQuestion, "window" | "before">,
): Promise<Answer> {
  const { series, breakdowns } = await readFiltered(selection, [...window.starts, window.to]);
  const botsBy = await readFilteredBots(selection, window);
  return {
    series,
    breakdowns,
    bots: botsBy.reduce((sum, { clicks }) => sum + clicks, 0),
    botsBy,
    previous: before ? await countFiltered(selection, before) : null,
  };
}

/** Reads the counts of a link between each two of `bounds`, as `readSeries` does. */
export async function readFilteredSeries(
  database: Database,
  { shortHost }: Pick<Base, "shortHost">,
  scope: AnalyticsScope,
  filters: Filters,
  bounds: readonly number[],
  source: ClickSource,
): Promise<readonly Counts[]> {
  const history = await historyIn(source, database, scope);
  requireRawClicks({ from: bounds[0] as number }, history, source);
  const selection = await selectionOf(database, scope, filters, shortHost.host, source.copy);
  return (await readFiltered(selection, bounds)).series;
}

/** Counts the clicks and visitors of a window. */
async function countFiltered(selection: Selection, window: TimeRange): Promise<Counts> {
  const { condition, kind, values } = inRange(selection, window.from, window.to);
  const [sums = []] = await countBlocks(selection, window, [[]]);
  const { rows } = await selection.database.query<Record<keyof People, string>>(
    `select count(*) as clicks, count(*) filter (where is_unique) as visitors
     from clicks where ${condition} and ${kind}`,
    values,
  );
  const total = { clicks: 0, visitors: 0, bots: 0 };
  for (const { clicks, visitors } of [...sums, ...rows]) {
    total.clicks += Number(clicks);
    total.visitors += Number(visitors);
  }
  return total;
}

/** Reads why visits in a window were bots'. */
async function readFilteredBots(selection: Selection, window: TimeRange): Promise<BotCount[]> {
  const { condition, values } = inRange(selection, window.from, window.to);
  const [sums = []] = await countBlocks(selection, window, [["bot"]], { isBot: true });
  const blocks = sqlColumns(values.length + 1, {
    bot_id: keyColumn(sums, 0),
    bots: ["bigint", sqlArray(sums.map(({ clicks }) => clicks))],
  });
  const { rows } = await selection.database.query<BotCount>(
    `select bot, rule, sum(bots)::float8 as clicks
     from (
       select bot_id, count(*) as bots from clicks where ${condition} and is_bot group by 1
       union all select bot_id, bots from ${blocks.table}
     ) t
       left join click_bots b on b.id = bot_id group by 1, 2`,
    [...values, ...blocks.values],
  );
  return rows;
}
