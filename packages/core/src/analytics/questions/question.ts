import type { BotCount } from "../bots.ts";
import type { Breakdowns } from "../breakdowns.ts";
import type { Window } from "../periods.ts";
import type { AnalyticsScope, Counts } from "../series.ts";
import type { Dimension } from "../../clicks/dimension-names.ts";

/**
 * A question about raw clicks, as plain data: what asks it knows nothing of tables, and what answers it nothing of
 * requests. All times in milliseconds since the epoch.
 */
export interface ClickQuestion {
  scope: AnalyticsScope;
  /** The window with its rows, whose bounds are multiples of a quarter of an hour */
  window: Window;
  /** The window to compare with; null if there is none */
  before: { from: number; to: number } | null;
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

/** What is known of the clicks that fit. */
export interface Answer {
  /** The counts of each row of the window */
  series: readonly Counts[];
  /** Visits of bots that fit the filters */
  bots: number;
  /** The same by what made them bots */
  botsBy: readonly BotCount[];
  breakdowns: Breakdowns;
  /** The counts of the window before; null without one */
  previous: Counts | null;
}

/** The clicks that share a value of each dimension of `groupBy`. */
export interface Group {
  /** As filters take them, in the order of `groupBy` */
  values: readonly string[];
  counts: People;
  /** The same in the window before; zeros without one */
  before: People;
}

export interface People {
  clicks: number;
  visitors: number;
}

/** Groups in an answer; the clicks of all others are added up. */
export const maxGroups = 500;

/** The groups with most clicks, ties by value, and the sum of all others. */
export interface Groups {
  listed: readonly Group[];
  others: People & { groups: number };
}
