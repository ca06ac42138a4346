import {
  type Dimension,
  dimensions,
  type Granularity,
  granularities,
  type Period,
  periods,
} from "@terse/core/browser";

/**
 * What a report can be filtered by: values by dimension; one after `!` is excluded. Values of one dimension are alternatives,
 * dimensions are combined.
 */
export type Filters = { [name in Dimension]?: string[] };

/** What a chart is compared with: the window before (unless set otherwise), the same window a year before, or nothing. */
export const comparisons = ["before", "year", "none"] as const;
export type Comparison = (typeof comparisons)[number];

/** A value as filters have it: a backslash tells a `!` of its own from one that excludes. */
export const asFilter = (value: string): string => value.replace(/^(?=\\*!)/, "\\");
/** The value without that backslash. */
export const fromFilter = (value: string): string => value.replace(/^\\(?=\\*!)/, "");

/** The state of a report in the address. */
export interface ReportSearch extends Filters {
  period?: Period;
  /** First and last day of a chosen window, as YYYY-MM-DD; they replace the period */
  from?: string;
  to?: string;
  granularity?: Granularity;
  /** IANA name of a time zone */
  tz?: string;
  against?: Comparison;
  /** The chart shows visitors instead of clicks */
  visitors?: true;
  /** Ids of links that the chart compares */
  compare?: string[];
  /** The list that is open as a table */
  table?: string;
}

/** The most links that one chart compares: their lines must remain distinguishable. */
export const maxCompared = 5;
const maxValues = 20;

/** Reads a report's state from the address. What makes no sense is left out. */
export function reportSearch(search: Record<string, unknown>): ReportSearch {
  const found: ReportSearch = {};
  const { from, to } = search;
  if (isDay(from) && isDay(to) && from <= to) Object.assign(found, { from, to });
  else if (isOneOf(periods, search.period)) found.period = search.period;
  if (isOneOf(granularities, search.granularity)) found.granularity = search.granularity;
  if (isText(search.tz) && isZone(search.tz)) found.tz = search.tz;
  if (isOneOf(comparisons, search.against)) found.against = search.against;
  if (search.visitors === true) found.visitors = true;
  const compared = textsIn(search.compare).slice(0, maxCompared);
  if (compared.length > 0) found.compare = compared;
  if (isText(search.table)) found.table = search.table;
  for (const name of dimensions) {
    const values = textsIn(search[name]).slice(0, maxValues);
    if (values.length > 0) found[name] = values;
  }
  return found;
}

/** The filters of a state, without the rest of it. */
export const filtersOf = (search: ReportSearch): Filters =>
  Object.fromEntries(dimensions.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));

/** The state with other values of one filter; without the filter if there are none. */
export function withFilter<Search extends ReportSearch>(
  search: Search,
  name: Dimension,
  values: readonly string[],
): Search {
  const { [name]: _, ...rest } = search;
  return (values.length > 0 ? { ...rest, [name]: values } : rest) as Search;
}

/** The state after a press on a value: filtered by it, or without it if it was chosen. */
export function toggleFilter<Search extends ReportSearch>(
  search: Search,
  name: Dimension,
  value: string,
): Search {
  const values = search[name] ?? [];
  return withFilter(search, name, values.includes(value) ? values.filter((each) => each !== value) : [value]);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isDay = (value: unknown): value is string =>
  isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isOneOf = <Value extends string>(values: readonly Value[], value: unknown): value is Value =>
  values.some((each) => each === value);
const textsIn = (value: unknown): string[] => [
  ...new Set((Array.isArray(value) ? value : [value]).filter(isText)),
];

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A report's state, which is in the address, and how to change it. */
export interface ReportState {
  /** The link that the report is about; undefined for the whole account */
  id: string | undefined;
  search: ReportSearch;
  /** The time zone of its hours, days and months */
  zone: string;
  /** `push` if the browser's back button should undo the change */
  change(update: (before: ReportSearch) => ReportSearch, history?: "push"): void;
}

/** What a report with this state is about: a link, else the only tag that it is filtered by, else all links. */
export function subjectOf({ id, search }: ReportState): { link_id?: string; tag?: string } {
  const [tag, ...more] = search.tag ?? [];
  if (id !== undefined) return { link_id: id };
  const isOne = tag !== undefined && more.length === 0 && !/^(!|\(none\)$)/.test(tag);
  return isOne ? { tag: fromFilter(tag) } : {};
}
