import type { Dimension } from "../clicks/dimension-names.ts";

/** The questions and answers of reports, as plain data. All times in milliseconds since the epoch. */

/** The windows of reports, by their length. */
export const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
export type Period = (typeof periods)[number];

/** Lengths of the rows of a window. */
export const granularities = ["hour", "day", "week", "month"] as const;
export type Granularity = (typeof granularities)[number];

/** From one time up to, but not including, another. */
export interface TimeRange {
  from: number;
  to: number;
}

/** From the start of its first row to the end of its last row. */
export interface Window extends TimeRange {
  granularity: Granularity;
  /** Start of each row, oldest first; a row ends where the next one starts */
  starts: readonly number[];
}

/** Whose clicks are read: those of an account, or of one link. */
export interface AnalyticsScope {
  kind: "account" | "link";
  id: string;
  /** The account itself, or the account of the link */
  accountId: string;
}

export const accountScope = (id: string): AnalyticsScope => ({ kind: "account", id, accountId: id });
export const linkScope = (id: string, accountId: string): AnalyticsScope => ({ kind: "link", id, accountId });

/** A question about raw clicks: it knows nothing of tables, and its answer nothing of requests. */
export interface ClickQuestion {
  scope: AnalyticsScope;
  /** The window with its rows, whose bounds are multiples of a quarter of an hour */
  window: Window;
  /** The window to compare with; null if there is none */
  before: TimeRange | null;
  /** Clicks count that meet all of them */
  filters: Filters;
  /** None to two names */
  groupBy: readonly Dimension[];
}

/** Sorted by dimension; of a dimension at most one condition of each kind. */
export type Filters = readonly Condition[];

/** A value of the dimension `bot` that every bot has. */
export const anyBot = "any";

/** Whether visits of bots count, instead of people's clicks: if there is a condition on bots. */
export const countsBots = (filters: Filters): boolean => filters.some(({ dimension }) => dimension === "bot");

/** A click meets it if its value is one of these; negated, if it is none of them. */
export interface Condition {
  readonly dimension: Dimension;
  /** As they are stored, "" for none; sorted, each once */
  readonly values: readonly string[];
  readonly negated: boolean;
}

export interface People {
  clicks: number;
  visitors: number;
}

export interface Counts extends People {
  bots: number;
}

export function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { clicks: 0, visitors: 0, bots: 0 };
  for (const { clicks, visitors, bots } of rows) {
    sum.clicks += clicks;
    sum.visitors += visitors;
    sum.bots += bots;
  }
  return sum;
}

/** Visits of bots with the same reason, as they are stored; null if it is not known. */
export interface BotCount {
  bot: string | null;
  rule: string | null;
  clicks: number;
}

/** A value of a dimension, such as the country DE, and its clicks in a window. */
export interface ValueCount {
  value: string;
  clicks: number;
}

/** The values that have clicks in a window, by dimension. */
export type Breakdowns = ReadonlyMap<string, readonly ValueCount[]>;

/** The counts of the matching clicks. */
export interface Answer {
  /** The counts of each row of the window */
  series: readonly Counts[];
  /** Visits by bots that match the filters */
  bots: number;
  /** The same by the reason that made them bots */
  botsBy: readonly BotCount[];
  breakdowns: Breakdowns;
  /** The counts of the previous window; null without one */
  previous: Counts | null;
}

/** The clicks that share a value of each dimension of `groupBy`. */
export interface Group {
  /** As filters take them, in the order of `groupBy` */
  values: readonly string[];
  counts: People;
  /** The same in the previous window; zeros without one */
  before: People;
}

/** Groups in an answer; the clicks of all others are added up. */
export const maxGroups = 500;

/** The groups with most clicks, ties by value, and the sum of all others. */
export interface Groups {
  listed: readonly Group[];
  others: People & { groups: number };
}
