import type { PoolClient } from "pg";
import { readAccountBreakdowns } from "./account-breakdowns.ts";
import { readBots } from "./bots.ts";
import { type BotCount } from "./question.ts";
import type { Breakdowns } from "./question.ts";
import type { History } from "./history.ts";
import { readHours } from "./hours.ts";
import { readLinkBreakdowns } from "./link-breakdowns.ts";
import type { Window } from "./question.ts";
import { readSeries } from "./series.ts";
import { type AnalyticsScope, type Counts, sumOf } from "./question.ts";
import { ceilDay, planBreakdowns } from "./window-plan.ts";

/** What a report is made of. */
export interface Figures {
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
export interface FiguresOf {
  window: Window;
  before: Window | null;
  history: History;
}

/** Reads the figures of all clicks of an account or a link, from rollups. */
export async function rollupFigures(
  database: PoolClient,
  scope: AnalyticsScope,
  { window, before, history: { rawIsKept }, now }: FiguresOf & { now: number },
): Promise<Figures> {
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
