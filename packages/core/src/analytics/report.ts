import type { AnalyticsDeps } from "./call.ts";
import type { Pool, PoolClient } from "pg";
import { Coalescer } from "../kernel/async/single-flight.ts";
import { needsClicks, type Question } from "./analytics.input.ts";
import type { Report } from "./analytics.schema.ts";
import { botList } from "./breakdowns/bots.ts";
import { breakdownLists } from "./breakdowns/lists.ts";
import { readHistory } from "./periods/history.ts";
import {
  type AnalyticsScope,
  type ClickQuestion,
  type Counts,
  type Groups,
  sumOf,
  type Window,
} from "./question.ts";
import { resolveFilters } from "./questions/conditions.ts";
import { answer, answerGroups } from "./questions/answer.ts";
import {
  type ClickSource,
  requireRawClicks,
  fromClicks,
  fromDatabase,
  historyIn,
  withReportSlot,
} from "./questions/source.ts";
import { rollupMetrics } from "./breakdowns/from-rollups.ts";
import { topLinks } from "./breakdowns/top-links.ts";
import { windowsOf } from "./periods/periods.ts";
import type { Dimension } from "../clicks/dimension-names.ts";

/** A report, and the clicks of each variant of an A/B test. All metrics come from one snapshot of the database. */
export interface ReportData {
  report: Report;
  variants: ReadonlyMap<string, number>;
}

const coalescers = new WeakMap<Pool, Coalescer<ReportData>>();

/** Makes a report. Identical requests at the same time share one, so that they cost the database one report at a time. */
export function report(deps: AnalyticsDeps, scope: AnalyticsScope, question: Question): Promise<ReportData> {
  const coalescer = coalescers.get(deps.pool) ?? new Coalescer<ReportData>();
  coalescers.set(deps.pool, coalescer);
  return coalescer.run(JSON.stringify([scope.kind, scope.id, question]), () =>
    needsClicks(question)
      ? fromClicks(deps, (source) => readIn(deps, scope, question, source))
      : readIn(deps, scope, question, fromDatabase),
  );
}

const readIn = (deps: AnalyticsDeps, scope: AnalyticsScope, question: Question, source: ClickSource) =>
  withReportSlot(source.copied?.pool ?? deps.pool, scope.accountId, needsClicks(question), (client) =>
    read(client, deps, scope, question, source),
  );

async function read(
  database: PoolClient,
  deps: AnalyticsDeps,
  requested: AnalyticsScope,
  question: Question,
  source: ClickSource,
): Promise<ReportData> {
  const { scope, filters } = await resolveFilters(database, requested, question.filters);
  const { groupBy } = question;
  const countsClicks = needsClicks({ filters, groupBy });
  const history = historyIn(await readHistory(database, scope), source);
  const now = deps.clock().getTime();
  const since = countsClicks && !source.isUnavailable ? history.rawSince : null;
  const { window, before: earlier } = windowsOf(question, now, history.first, since);
  const isKept = earlier !== null && (history.rawSince ?? earlier.from) <= earlier.from;
  const clickQuestion: ClickQuestion = { scope, window, before: isKept ? earlier : null, filters, groupBy };
  if (countsClicks) requireRawClicks(source.isUnavailable && earlier ? earlier : window, history, source);
  const { series, breakdowns, bots, botsBy, previous } =
    // All metrics of a report come from one source.
    filters.length > 0 || (countsClicks && source.copied !== null)
      ? await answer(database, deps, clickQuestion, source)
      : await rollupMetrics(database, scope, { window, before: earlier, history, now });
  const groups = await answerGroups(database, deps, clickQuestion, source);
  const total = { ...sumOf(series), bots };
  const links =
    scope.kind === "account" ? (breakdowns.get("link") ?? []) : [{ value: scope.id, clicks: total.clicks }];
  return {
    report: {
      ...frame(question, window),
      locked: false,
      ...total,
      previous: earlier && previous && { ...isoWindow(earlier), ...withoutBots(previous) },
      change: previous && {
        clicks: ratio(total.clicks, previous.clicks),
        visitors: ratio(total.visitors, previous.visitors),
      },
      ...groupLists(groups, clickQuestion),
      timeseries: series.map((counts, row) => ({
        start: new Date(window.starts[row] as number).toISOString(),
        ...withoutBots(counts),
      })),
      ...breakdownLists(breakdowns, total.clicks),
      bots_by: botList(botsBy, bots),
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
  ...isoWindow(window),
});

const isoWindow = ({ from, to }: Window) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
const withoutBots = ({ clicks, visitors }: Counts) => ({ clicks, visitors });
const ratio = (now: number, before: number) => (before === 0 ? null : (now - before) / before);

/** The groups of a report, with a field for each dimension. */
const groupLists = (
  groups: Groups | null,
  { groupBy, before }: Pick<ClickQuestion, "groupBy" | "before">,
): Pick<Report, "groups" | "other_groups"> => ({
  groups:
    groups?.listed.map(({ values, counts, before: earlier }) => ({
      ...(Object.fromEntries(groupBy.map((name, at) => [name, values[at]])) as Partial<
        Record<Dimension, string>
      >),
      ...counts,
      previous: before && earlier,
    })) ?? null,
  other_groups: groups && groups.others,
});
