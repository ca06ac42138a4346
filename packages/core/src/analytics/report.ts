import type { Pool, PoolClient } from "pg";
import { Coalescer } from "../concurrency/coalesce.ts";
import type { Deps } from "../deps.ts";
import type { Question } from "./analytics.input.ts";
import type { Report } from "./analytics.schema.ts";
import { breakdownLists } from "./breakdowns.ts";
import { narrowed, selectionOf } from "./filter-sql.ts";
import { filteredFigures } from "./filtered.ts";
import { readHistory } from "./history.ts";
import type { Window } from "./periods.ts";
import { withReportSlot } from "./report-limiter.ts";
import { rollupFigures } from "./rollup-figures.ts";
import { type AnalyticsScope, type Counts, sumOf } from "./series.ts";
import { topLinks } from "./top-links.ts";
import { windowsOf } from "./windows.ts";

/** A report, and the clicks of each variant of an A/B test. All figures come from one snapshot of the database. */
export interface Findings {
  report: Report;
  variants: ReadonlyMap<string, number>;
}

const coalescers = new WeakMap<Pool, Coalescer<Findings>>();

/** Makes a report. Identical requests at the same time share one, so that they cost the database one report at a time. */
export function report(deps: Deps, scope: AnalyticsScope, question: Question): Promise<Findings> {
  const coalescer = coalescers.get(deps.pool) ?? new Coalescer<Findings>();
  coalescers.set(deps.pool, coalescer);
  return coalescer.run(JSON.stringify([scope.kind, scope.id, question]), () =>
    withReportSlot(deps.pool, scope.accountId, question.filter, (database) =>
      read(database, deps, scope, question),
    ),
  );
}

async function read(
  database: PoolClient,
  deps: Deps,
  asked: AnalyticsScope,
  question: Question,
): Promise<Findings> {
  const { scope, filter } = await narrowed(database, asked, question.filter);
  const history = await readHistory(database, scope);
  const now = deps.clock().getTime();
  const since = filter && history.rawSince;
  const { window, before } = windowsOf(question, now, history.first, since);
  const earlier = question.compare ? before() : null;
  const { series, breakdowns, bots, previous } = filter
    ? await filteredFigures(database, await selectionOf(database, scope, filter, deps.shortHost.host), {
        window,
        before: earlier,
        history,
      })
    : await rollupFigures(database, scope, { window, before: earlier, history, now });
  const total = { ...sumOf(series), bots };
  const links =
    scope.kind === "account" ? (breakdowns.get("link") ?? []) : [{ value: scope.id, clicks: total.clicks }];
  return {
    report: {
      ...frame(question, window),
      locked: false,
      ...total,
      previous: earlier && previous && { ...iso(earlier), ...peopleOf(previous) },
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
export const frame = ({ span, tz }: Pick<Question, "span" | "tz">, window: Window) => ({
  period: "period" in span ? span.period : null,
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
