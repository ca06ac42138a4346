import type { PoolClient } from "pg";
import type { Database } from "../../db/statements.ts";
import { readBots } from "./bots.ts";
import {
  type AnalyticsScope,
  type Answer,
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
import { maxListed, readEdges, type ValueRow } from "./edges.ts";
import { overlap } from "../../kernel/async/waiting.ts";
import { areFirstKnown, type SignedSums, ValueSums } from "./value-sums.ts";
import { labelOf } from "./lists.ts";

/** Answers a question about all clicks of an account or a link. */
export async function answerFromRollups(
  database: PoolClient,
  scope: AnalyticsScope,
  { window, before }: { window: Window; before: Window | null },
  { rawIsKept }: History,
  now: number,
): Promise<Answer> {
  const bounds = [...(before ? [before.from] : []), ...window.starts, window.to, ceilDay(window.to)];
  const series = await readSeries(database, scope, bounds);
  const after = series.pop() as Counts;
  const previous = before && (series.shift() as Counts);
  const { bots } = sumOf(series);
  const plan = planBreakdowns(window, {
    months: scope.kind === "account",
    rawIsKept: rawIsKept(window.from),
    endIsKept: rawIsKept(window.to),
    isPast: window.to <= now,
    isQuietAfter: after.clicks + after.bots === 0,
  });
  const hours = await readHours(database, scope, plan.raw);
  const rest = { ...plan, raw: hours.rest };
  const breakdowns = await readBreakdowns(database, scope, rest, hours.sums);
  const botsBy = bots > 0 ? await readBots(database, scope, rest, hours.bots) : [];
  return { series, bots, botsBy, breakdowns, previous };
}

/** Dimensions with any number of values, of which the `maxListed` with most clicks are listed. */
const ranked: ReadonlySet<string> = new Set(["referrer", "link"]);

/**
 * Reads breakdowns of a window: packed sums, of which first only the top values are read, and raw clicks at its edges. `hours` are
 * the sums of what is not in the plan.
 */
export async function readBreakdowns(
  database: PoolClient,
  scope: AnalyticsScope,
  plan: BreakdownPlan,
  hours: readonly SignedSums[],
): Promise<Breakdowns> {
  let sums = new ValueSums();
  const packed = await overlap(readPackedSums(database, scope, plan, true), () => sums.add(hours));
  const rows = await overlap(readEdges(database, scope, plan.raw), () => sums.add(packed));
  let others = addRows(sums, rows);
  // The top values may not cover the whole list.
  if (!sums.entries().every(([name, values]) => areFirstKnown(values, listedOf(name)))) {
    sums = new ValueSums().add([...(await readPackedSums(database, scope, plan, false)), ...hours]);
    others = addRows(sums, rows);
  }
  // Many values may not be listed.
  const listed = sums
    .entries()
    .map(([dimension, { known }]) => [dimension, known.most(listedOf(dimension))] as const);
  const texts = await textsOf(
    database,
    listed.flatMap(([, values]) => [...values.keys()]),
  );
  return new Map(
    listed.map(([dimension, values]) => {
      const named = Array.from(values).flatMap(([id, clicks]) => {
        const value = texts.get(id);
        return value === undefined ? [] : { value, clicks };
      });
      const all = [...named, ...(others.get(dimension) ?? [])].filter(({ clicks }) => clicks > 0);
      return [dimension, ranked.has(dimension) ? top(dimension, all) : all] as const;
    }),
  );
}

/** Reads packed sums; for large ones of an account only the top values, if these are enough. */
async function readPackedSums(
  database: Database,
  { kind, id }: AnalyticsScope,
  { months, days, daysAfter }: BreakdownPlan,
  isTopEnough: boolean,
): Promise<SignedSums[]> {
  if (kind === "link") {
    const { rows } = await database.query<SignedSums>({
      name: "link-packed-values",
      text: "select 1 as sign, packed from link_days where link_id = $1 and day >= $2 and day < $3",
      values: [id, ...dates(days)],
    });
    return rows;
  }
  const sums = isTopEnough ? "coalesce(head, packed) as packed, head is not null" : "packed, false";
  const { rows } = await database.query<SignedSums>({
    name: `account-packed-values-${isTopEnough}`,
    text: `select 1 as sign, ${sums} as "isTopValues" from account_sums
             where account_id = $1 and period = 'month' and start >= $2 and start < $3
           union all
           select 1, ${sums} from account_sums
             where account_id = $1 and period = 'day' and start >= $4 and start < $5
           union all
           select -1, packed, false from account_sums
             where account_id = $1 and period = 'day' and start >= $6 and start < $7`,
    values: [id, ...dates(months), ...dates(days), ...dates(daysAfter)],
  });
  return rows;
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

/** Texts of packed values by their ids. */
export async function textsOf(
  database: Database,
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
export const top = (dimension: string, values: readonly ValueCount[]): ValueCount[] =>
  values
    .toSorted(
      (a, b) => b.clicks - a.clicks || (labelOf(dimension, a.value) < labelOf(dimension, b.value) ? -1 : 1),
    )
    .slice(0, maxListed);
