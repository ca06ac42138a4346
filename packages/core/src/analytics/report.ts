import type { AnalyticsDeps } from "./call.ts";
import type { Pool, PoolClient } from "pg";
import { Coalescer } from "../kernel/async/single-flight.ts";
import { needsClicks, type Question } from "./analytics.input.ts";
import type { Report } from "./analytics.schema.ts";
import { botList } from "./breakdowns/bots.ts";
import { breakdownLists } from "./breakdowns/lists.ts";
import {
  type AnalyticsScope,
  type ClickQuestion,
  type Counts,
  type Groups,
  sumOf,
  type Window,
} from "./question.ts";
import { resolveFilters, selectionOf } from "./questions/conditions.ts";
import { answer } from "./questions/answer.ts";
import { readGroups } from "./questions/groups.ts";
import {
  type ClickSource,
  requireRawClicks,
  fromClicks,
  fromDatabase,
  historyIn,
  withReportSlot,
} from "./questions/source.ts";
import { answerFromRollups } from "./breakdowns/from-rollups.ts";
import { topLinks } from "./breakdowns/top-links.ts";
import { windowsOf } from "./periods/periods.ts";
import type { Dimension } from "../clicks/dimension-names.ts";

/** A report, and the clicks of each variant of an A/B test. All metrics come from one snapshot of the database. */
export interface ReportData {
  report: Report;
  variants: ReadonlyMap<string, number>;
}

type ReportDeps = Pick<AnalyticsDeps, "pool" | "clock" | "clickhouse" | "shortHost">;

const coalescers = new WeakMap<Pool, Coalescer<ReportData>>();

/** Makes a report. Identical requests at the same time share one, so that they cost the database one report at a time. */
export function report(deps: ReportDeps, scope: AnalyticsScope, question: Question): Promise<ReportData> {
  const coalescer = coalescers.get(deps.pool) ?? new Coalescer<ReportData>();
  coalescers.set(deps.pool, coalescer);
  return coalescer.run(JSON.stringify([scope.kind, scope.id, question]), () => {
    const readFrom = (source: ClickSource) =>
      withReportSlot(source.copy?.pool ?? deps.pool, scope.accountId, needsClicks(question), (database) =>
        read(database, deps, scope, question, source),
      );
    return needsClicks(question) ? fromClicks(deps, readFrom) : readFrom(fromDatabase);
  });
}

async function read(
  database: PoolClient,
  { clock, shortHost }: ReportDeps,
  requested: AnalyticsScope,
  question: Question,
  source: ClickSource,
): Promise<ReportData> {
  const { scope, filters } = await resolveFilters(database, requested, question.filters);
  const { groupBy } = question;
  const countsClicks = needsClicks({ filters, groupBy });
  const history = await historyIn(source, database, scope);
  const now = clock().getTime();
  const since = countsClicks && !source.isClickHouseDown ? history.rawSince : null;
  const { window, before } = windowsOf(question, now, history.first, since);
  const isKept = before !== null && (history.rawSince ?? before.from) <= before.from;
  const clickQuestion: ClickQuestion = { scope, window, before: isKept ? before : null, filters, groupBy };
  if (countsClicks) requireRawClicks(source.isClickHouseDown && before ? before : window, history, source);
  const selection = countsClicks
    ? await selectionOf(database, scope, filters, shortHost.host, source.copy)
    : null;
  const { series, breakdowns, bots, botsBy, previous } =
    // All metrics of a report come from one source.
    selection && (filters.length > 0 || source.copy)
      ? await answer(selection, clickQuestion)
      : await answerFromRollups(database, scope, { window, before }, history, now);
  const groups =
    selection && groupBy.length > 0 ? await readGroups(selection, clickQuestion, shortHost.host) : null;
  const total = { ...sumOf(series), bots };
  const links =
    scope.kind === "account" ? (breakdowns.get("link") ?? []) : [{ value: scope.id, clicks: total.clicks }];
  return {
    report: {
      ...windowInReport(question, window),
      locked: false,
      ...total,
      previous: before && previous && { ...isoWindow(before), ...withoutBots(previous) },
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
      top_links: await topLinks(database, shortHost, links),
    },
    variants: new Map(breakdowns.get("variant")?.map(({ value, clicks }) => [value, clicks])),
  };
}

/** The fields of a report that say which window it is about. */
export const windowInReport = ({ span, tz }: Pick<Question, "span" | "tz">, window: Window) => ({
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
