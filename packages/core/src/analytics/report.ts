import type { Pool, PoolClient } from "pg";
import { inSnapshot } from "../db/snapshot.ts";
import type { Deps } from "../deps.ts";
import { limiterPerPool } from "../concurrency/concurrency-limiter.ts";
import { readAccountBreakdowns } from "./account-breakdowns.ts";
import type { Report } from "./analytics.schema.ts";
import { planBreakdowns } from "./window-plan.ts";
import { readHistory } from "./history.ts";
import { readLinkBreakdowns } from "./link-breakdowns.ts";
import { type Breakdowns, breakdownLists } from "./breakdowns.ts";
import { type Period, type Window, windowBefore, windowOf } from "./periods.ts";
import { type Counts, type AnalyticsScope, readSeries, sumOf } from "./series.ts";
import { Coalescer } from "../concurrency/coalesce.ts";
import { topLinks } from "./top-links.ts";

export interface Question {
  period: Period;
  compare: boolean;
  tz: string;
}

/** A report, and the clicks of each variant of an A/B test. All figures come from one snapshot of the database. */
export interface Findings {
  report: Report;
  variants: ReadonlyMap<string, number>;
}

/** A report can take seconds; half of the connections are kept for other requests. */
const reportLimiter = limiterPerPool("reports", 1 / 2);
const timeoutMs = 5000;

const coalescers = new WeakMap<Pool, Coalescer<Findings>>();

/** Makes a report. Identical requests at the same time share one, so that they cost the database one report at a time. */
export function report(deps: Deps, scope: AnalyticsScope, question: Question): Promise<Findings> {
  const { period, compare, tz } = question;
  const coalescer = coalescers.get(deps.pool) ?? new Coalescer<Findings>();
  coalescers.set(deps.pool, coalescer);
  return coalescer.run(`${scope.kind} ${scope.id} ${period} ${compare} ${tz}`, () =>
    find(deps, scope, question),
  );
}

const find = (deps: Deps, scope: AnalyticsScope, question: Question): Promise<Findings> =>
  reportLimiter(deps.pool).run(scope.accountId, timeoutMs, () =>
    inSnapshot(deps.pool, (database) => read(database, deps, scope, question)),
  );

async function read(
  database: PoolClient,
  deps: Deps,
  scope: AnalyticsScope,
  question: Question,
): Promise<Findings> {
  const { period, compare, tz } = question;
  const { first, rawIsKept } = await readHistory(database, scope);
  const window = windowOf(period, tz, deps.clock().getTime(), first);
  const before = compare ? windowBefore(window, tz) : null;
  const bounds = [...(before ? [before.from] : []), ...window.starts, window.to];
  const series = await readSeries(database, scope, bounds);
  const previous = before && { ...iso(before), ...peopleOf(series.shift() as Counts) };
  const total = sumOf(series);
  const breakdowns = await readBreakdowns(database, scope, window, {
    clicks: total.clicks,
    rawIsKept: rawIsKept(window.from),
  });
  const links =
    scope.kind === "account" ? (breakdowns.get("link") ?? []) : [{ value: scope.id, clicks: total.clicks }];
  return {
    report: {
      ...frame(question, window),
      locked: false,
      ...total,
      previous,
      change: previous && {
        clicks: ratio(total.clicks, previous.clicks),
        visitors: ratio(total.visitors, previous.visitors),
      },
      timeseries: series.map((counts, row) => ({
        start: new Date(window.starts[row] as number).toISOString(),
        ...peopleOf(counts),
      })),
      ...breakdownLists(breakdowns, total.clicks),
      top_links: await topLinks(
        database,
        deps,
        links.filter(({ clicks }) => clicks > 0),
      ),
    },
    variants: new Map(breakdowns.get("variant")?.map(({ value, clicks }) => [value, clicks])),
  };
}

/** The fields of a report that depend on its parameters only. */
export const frame = ({ period, tz }: Question, window: Window) => ({
  period,
  granularity: window.granularity,
  timezone: tz,
  ...iso(window),
});

const iso = ({ from, to }: Window) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
const peopleOf = ({ clicks, visitors }: Counts) => ({ clicks, visitors });
const ratio = (now: number, before: number) => (before === 0 ? null : (now - before) / before);

function readBreakdowns(
  database: PoolClient,
  scope: AnalyticsScope,
  window: Window,
  { clicks, rawIsKept }: { clicks: number; rawIsKept: boolean },
): Promise<Breakdowns> {
  const isAccount = scope.kind === "account";
  const plan = planBreakdowns(window, { months: isAccount, rawIsKept });
  return isAccount
    ? readAccountBreakdowns(database, scope, plan, clicks)
    : readLinkBreakdowns(database, scope, plan);
}
