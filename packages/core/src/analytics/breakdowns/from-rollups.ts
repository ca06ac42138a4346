import type { PoolClient } from "pg";
import { readBots } from "./bots.ts";
import {
  type AnalyticsScope,
  type BotCount,
  type Breakdowns,
  type Counts,
  sumOf,
  type ValueCount,
  type Window,
} from "../question.ts";
import type { History } from "../periods/history.ts";
import { readHours } from "./hours.ts";
import { readSeries } from "../periods/series.ts";
import { type BreakdownPlan, ceilDay, dates, planBreakdowns } from "../periods/plan.ts";
import { edgeValues, hasEdges, maxListed, rawByValue, rawClicks } from "./edges.ts";
import { overlap } from "../../kernel/async/waiting.ts";
import { areFirstKnown, type DimensionSums, type SignedSums, ValueSums } from "./value-sums.ts";
import { byClicks, labelOf } from "./lists.ts";

/** What a report is made of. */
export interface Metrics {
  /** The counts of each row */
  series: readonly Counts[];
  bots: number;
  /** Of these, those with a known reason */
  botsBy: readonly BotCount[];
  breakdowns: Breakdowns;
  /** The counts of the window before; null without one */
  previous: Counts | null;
}

/** What figures are about; times in milliseconds since the epoch. */
export interface MetricsQuery {
  window: Window;
  before: Window | null;
  history: History;
}

/** Reads the figures of all clicks of an account or a link, from rollups. */
export async function rollupMetrics(
  database: PoolClient,
  scope: AnalyticsScope,
  { window, before, history: { rawIsKept }, now }: MetricsQuery & { now: number },
): Promise<Metrics> {
  const bounds = [...(before ? [before.from] : []), ...window.starts, window.to, ceilDay(window.to)];
  const series = await readSeries(database, scope, bounds);
  const after = series.pop() as Counts;
  const previous = before && (series.shift() as Counts);
  const { bots } = sumOf(series);
  const isAccount = scope.kind === "account";
  const plan = planBreakdowns(window, {
    months: isAccount,
    rawIsKept: rawIsKept(window.from),
    endIsKept: rawIsKept(window.to),
    isPast: window.to <= now,
    isQuietAfter: after.clicks + after.bots === 0,
  });
  const hours = await readHours(database, scope, plan.raw);
  const rest = { ...plan, raw: hours.rest };
  const breakdowns = isAccount
    ? await readAccountBreakdowns(database, scope, rest, hours.sums)
    : await readLinkBreakdowns(database, scope, rest);
  const botsBy = bots > 0 ? await readBots(database, scope, rest, hours.bots) : [];
  return { series, bots, botsBy, breakdowns, previous };
}

const rawLinks = "select 'link', link_id::text, sum(clicks) from raw where link_id is not null group by 2";

/** SQL: the head of sums, or all of them if they have none. */
const sumsOrTopValues = "coalesce(head, packed) as packed, head is not null";

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
    const sums = heads ? sumsOrTopValues : "packed, false";
    const { rows } = await database.query<SignedSums>({
      name: `account-packed-values-${heads}`,
      text: `select 1 as sign, ${sums} as "isTopValues" from account_sums
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

const rawVariants =
  "select 'variant', variant::text, sum(clicks) from raw where variant is not null group by 2";

/** Reads a link's breakdowns in a window. */
async function readLinkBreakdowns(
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
  const counting = hasEdges(raw) ? countRawOfLink(database, scope, raw) : Promise.resolve([]);
  const sums = new ValueSums();
  const rows = await overlap(counting, () => sums.add(packed));
  return breakdownsFrom(database, sums, rows);
}

/** Counts clicks at the edges of the window. */
async function countRawOfLink(
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

/** Clicks of a value in rows. `id` is its id in packed sums; null if there is none. */
interface ValueRow {
  dimension: string;
  value: string;
  clicks: string;
  id: number | null;
}

/** Dimensions with any number of values, of which the `maxListed` with most clicks are listed. */
const ranked: ReadonlySet<string> = new Set(["referrer", "link"]);

/**
 * Adds what is not packed to the sums of what is: raw clicks at the edges of a window. `readWhole` reads what is packed without heads, if these do not tell everything that is listed.
 */
async function breakdownsFrom(
  database: Pick<PoolClient, "query">,
  packed: ValueSums,
  rows: readonly ValueRow[],
  readWhole?: () => Promise<readonly SignedSums[]>,
): Promise<Breakdowns> {
  let sums = packed;
  let others = addRows(sums, rows);
  if (readWhole && !sums.entries().every(([name, values]) => areFirstKnown(values, listedOf(name)))) {
    sums = new ValueSums().add(await readWhole());
    others = addRows(sums, rows);
  }
  const listed = sums.entries().map(([dimension, values]) => [dimension, most(dimension, values)] as const);
  const texts = await textsOf(
    database,
    listed.flatMap(([, values]) => values.map(({ id }) => id)),
  );
  return new Map(
    listed.map(([dimension, values]) => {
      const named = values.flatMap(({ id, sum }) => {
        const value = texts.get(id);
        return value === undefined ? [] : { value, clicks: sum };
      });
      const all = [...named, ...(others.get(dimension) ?? [])].filter(({ clicks }) => clicks > 0);
      return [dimension, ranked.has(dimension) ? top(dimension, all) : all] as const;
    }),
  );
}

/** Adds rows to the sums. Returns those without an id. */
function addRows(sums: ValueSums, rows: readonly ValueRow[]): Map<string, ValueCount[]> {
  const others = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks, id } of rows) {
    const known = id === null ? undefined : sums.of(dimension)?.known;
    if (id !== null && known) known.add(id, Number(clicks));
    else others.set(dimension, [...(others.get(dimension) ?? []), { value, clicks: Number(clicks) }]);
  }
  return others;
}

const listedOf = (dimension: string): number =>
  ranked.has(dimension) ? maxListed : Number.POSITIVE_INFINITY;

/** Leaves out values that are not listed, of which there may be many. */
const most = (dimension: string, { known }: DimensionSums): { id: number; sum: number }[] =>
  known.atLeast(ranked.has(dimension) ? Math.max(known.largest(maxListed), 1) : 1);

/** Texts of packed values by their ids. */
export async function textsOf(
  database: Pick<PoolClient, "query">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{ id: number; value: string }>({
    name: "packed-values",
    text: "select id, value from click_values where id = any($1::int[])",
    values: [ids],
  });
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** The values with most clicks, ties by label. */
export function top(dimension: string, values: readonly ValueCount[]): ValueCount[] {
  const labelled = values.map(({ value, clicks }) => ({
    value: labelOf(dimension, value),
    clicks,
    stored: value,
  }));
  return labelled
    .toSorted(byClicks)
    .slice(0, maxListed)
    .map(({ stored, clicks }) => ({ value: stored, clicks }));
}
