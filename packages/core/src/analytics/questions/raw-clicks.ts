import type { PoolClient } from "pg";
import { clientDimensionRows, type Key, referrerDimensionRows, type Sum } from "../../clicks/index.ts";
import { sqlArray, sqlColumns } from "../../db/sql-array.ts";
import type { Deps } from "../../deps.ts";
import { type BotCount, botCountsOf } from "../bots.ts";
import { type BreakdownRow, breakdownsOf, maxListed, valueOrder } from "../breakdown-sql.ts";
import { type Breakdowns, unknown } from "../breakdowns.ts";
import { readHistory } from "../history.ts";
import type { AnalyticsScope, Counts } from "../series.ts";
import { idsOf } from "../sql.ts";
import { countBlocks, keyColumn, placeAmong, totalOf } from "./blocks.ts";
import { type Selection, selectionOf } from "./conditions.ts";
import { readGroups } from "./groups.ts";
import type { Answer, ClickQuestion, Filters, Groups } from "./question.ts";
import { type ClickSource, demandRawClicks, historyIn } from "./source.ts";

/** Answers questions from single clicks, which no rollup can answer. */

/** Answers a question. `before` must not begin before the raw clicks do. */
export async function answer(
  database: Pick<PoolClient, "query">,
  { shortHost }: Pick<Deps, "shortHost">,
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
  { shortHost }: Pick<Deps, "shortHost">,
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
  { shortHost }: Pick<Deps, "shortHost">,
  scope: AnalyticsScope,
  filters: Filters,
  bounds: readonly number[],
  source: ClickSource,
): Promise<Counts[]> {
  const history = historyIn(await readHistory(database, scope), source);
  demandRawClicks({ from: bounds[0] as number }, history, source);
  const selection = await selectionOf(database, scope, filters, shortHost.host, source.copied);
  return (await readFiltered(database, selection, bounds)).series;
}

/** A condition on the ids of a range, whose bounds become the last two parameters. */
const inRange = ({ condition, kind, values }: Selection, from: number, to: number) => ({
  kind,
  condition: `${condition} and id >= $${values.length + 1}::bigint and id < $${values.length + 2}::bigint`,
  values: [...values, ...idsOf([from, to])],
});

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

interface Row extends BreakdownRow {
  visitors: string;
}

/** The rows of a time series and the breakdowns of the same clicks. */
interface FilteredFigures {
  series: Counts[];
  breakdowns: Breakdowns;
}

/**
 * Reads each click once and counts it by time, client, referrer, link and variant at the same time. `bounds` as in
 * `readSeries`.
 */
async function readFiltered(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  bounds: readonly number[],
): Promise<FilteredFigures> {
  const [from, to] = [bounds[0] as number, bounds.at(-1) as number];
  const { condition, kind, values } = inRange(selection, from, to);
  const bound = values.length + 1;
  const blocks = await blockTables(database, selection, bounds, bound + 1);
  const { rows } = await database.query<Row>(figures(`${condition} and ${kind}`, bound, blocks), [
    ...values,
    bounds.map((time) => idsOf([time, time])[0]),
    ...blocks.values,
  ]);
  const places = new Map<string, Row>();
  const others: Row[] = [];
  for (const row of rows) {
    if (row.dimension === "place") places.set(row.value, row);
    else others.push(row);
  }
  return {
    series: bounds.slice(1).map((_, at) => countsOf(places.get(String(at + 1)))),
    breakdowns: breakdownsOf(others),
  };
}

/** What the blocks have of the same clicks, as tables whose first parameter is `$first`. */
async function blockTables(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  bounds: readonly number[],
  first: number,
) {
  const range = { from: bounds[0] as number, to: bounds.at(-1) as number };
  const groupings: Key[][] = [[placeAmong(bounds), "client", "variant"], ["referrer"], ["link"]];
  const [few = [], byReferrer = [], byLink = []] = await countBlocks(database, selection, range, groupings);
  const clicks = (sums: readonly Sum[]) => ["bigint", sqlArray(sums.map((sum) => sum.clicks))] as const;
  const fewColumns = sqlColumns(first, {
    place: keyColumn(few, 0),
    client_id: keyColumn(few, 1),
    variant: keyColumn(few, 2),
    clicks: clicks(few),
    visitors: ["bigint", sqlArray(few.map(({ visitors }) => visitors))],
  });
  const referrers = sqlColumns(first + 5, {
    referrer_id: keyColumn(byReferrer, 0),
    clicks: clicks(byReferrer),
  });
  const links = sqlColumns(first + 7, { link: keyColumn(byLink, 0), clicks: clicks(byLink) });
  return {
    few: fewColumns.table,
    referrers: referrers.table,
    links: links.table,
    values: [...fewColumns.values, ...referrers.values, ...links.values],
  };
}

const countsOf = (row: { clicks: string; visitors: string } | undefined): Counts => ({
  clicks: Number(row?.clicks ?? 0),
  visitors: Number(row?.visitors ?? 0),
  bots: 0,
});

/**
 * Of referrers and links the `maxListed` with most clicks, of all others every value. What has few values is grouped
 * together, since each set of groups costs time for each click.
 */
const figures = (
  condition: string,
  bounds: number,
  blocks: Record<"few" | "referrers" | "links", string>,
) => `
  with counted as materialized (
    select grouping(referrer_id, link_id) as by, place, client_id, variant, referrer_id, link_id,
      count(*) as clicks, count(*) filter (where is_unique) as visitors
    from (
      select width_bucket(id, $${bounds}::bigint[]) as place, client_id, variant, referrer_id, link_id, is_unique
      from clicks where ${condition}
    ) t group by grouping sets ((place, client_id, variant), (referrer_id), (link_id))
    union all select b'11'::int, place, client_id, variant, null, null, clicks, visitors from ${blocks.few}
    union all select b'01'::int, null, null, null, referrer_id, null, clicks, 0 from ${blocks.referrers}
    union all select b'10'::int, null, null, null, null, v.value::uuid, clicks, 0
      from ${blocks.links} left join click_values v on v.id = link
  ),
  few as materialized (select * from counted where by = b'11'::int),
  by_referrer as materialized (
    select v.dimension, coalesce(v.value, '${unknown}') as value, sum(clicks) as clicks
    from counted left join click_referrers r on r.id = referrer_id, lateral (values ${referrerDimensionRows}) v (dimension, value)
    where by = b'01'::int group by 1, 2
  )
  select 'place' as dimension, place::text as value, sum(clicks) as clicks, sum(visitors) as visitors from few group by 2
  union all
  select v.dimension, coalesce(v.value, ''), sum(clicks), 0
    from (select client_id, sum(clicks) as clicks from few group by 1) t
      left join click_clients c on c.id = client_id, lateral (values ${clientDimensionRows}) v (dimension, value)
    group by 1, 2
  union all
  select 'variant', variant::text, sum(clicks), 0 from few where variant is not null group by 2
  union all
  select dimension, value, clicks, 0 from by_referrer where dimension <> 'referrer'
  union all
  (select dimension, value, clicks, 0 from by_referrer where dimension = 'referrer'
    order by clicks desc, ${valueOrder} limit ${maxListed})
  union all
  (select 'link', link_id::text, sum(clicks) as clicks, 0 from counted where by = b'10'::int and link_id is not null
    group by link_id order by clicks desc, link_id limit ${maxListed})`;
