import { otherReferrers } from "../../clicks/derive/referrer.ts";
import { campaignDimensions } from "../../clicks/dimension-names.ts";
import { type ListedDimension, listedDimensions, listNames } from "../../clicks/dimensions.ts";
import type { Breakdowns, ValueCount } from "../question.ts";

/** The lists of a report, such as `countries: [{ country, clicks }]`. */
export type BreakdownLists = {
  [Name in ListedDimension as (typeof listNames)[Name]]: ({ [key in Name]: string } & { clicks: number })[];
};

/** The label of values that are unknown, or no longer known. */
export const unknown = "unknown";
/** The label of clicks without a referrer. */
export const directReferrer = "(direct)";

/** The label of an optional property that a click or link lacks. */
export const noneLabel = "(none)";
const labelsOfNone: Readonly<Record<string, string>> = {
  referrer: directReferrer,
  tag: noneLabel,
  variant: noneLabel,
  ...Object.fromEntries(campaignDimensions.map((name) => [name, noneLabel])),
};

/** The label of a stored value, of which "" means none. */
export const labelOf = (dimension: string, value: string): string =>
  value || (labelsOfNone[dimension] ?? unknown);

/** Makes a report's lists, each by `list`, which gets a dimension's name. */
export const listsBy = (list: (dimension: ListedDimension) => unknown): BreakdownLists =>
  Object.fromEntries(
    listedDimensions.map((dimension) => [listNames[dimension], list(dimension)]),
  ) as BreakdownLists;

/**
 * The lists of a report, most clicks first, ties by name. Each one adds up to `total`: clicks whose values were dropped
 * with the raw clicks are unknown, and referrers after the hundredth count as `otherReferrers`.
 */
export function breakdownLists(breakdowns: Breakdowns, total: number): BreakdownLists {
  // There are few devices, so all of them are in the breakdown.
  const dropped = total - clicksOf(breakdowns.get("device"));
  return listsBy((dimension) =>
    labelled(dimension, breakdowns.get(dimension) ?? [], total, dropped).map(({ value, clicks }) => ({
      [dimension]: value,
      clicks,
    })),
  );
}

function labelled(
  dimension: string,
  values: readonly ValueCount[],
  total: number,
  dropped: number,
): ValueCount[] {
  const byLabel = new Map<string, number>();
  const add = (label: string, clicks: number) => {
    if (clicks > 0) byLabel.set(label, (byLabel.get(label) ?? 0) + clicks);
  };
  for (const { value, clicks } of values) add(labelOf(dimension, value), clicks);
  add(unknown, dropped);
  // Referrers after the hundredth, and clicks without a value
  add(dimension === "referrer" ? otherReferrers : unknown, total - dropped - clicksOf(values));
  return Array.from(byLabel, ([value, clicks]) => ({ value, clicks })).toSorted(byClicks);
}

const clicksOf = (values: readonly ValueCount[] = []) => values.reduce((sum, { clicks }) => sum + clicks, 0);

/** Most clicks first, ties by name. */
export const byClicks = (a: ValueCount, b: ValueCount) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1);
