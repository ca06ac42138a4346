import { otherReferrers } from "../clicks/index.ts";
import { labelOf, unknown, type ValueCount, type Values } from "./values.ts";

/**
 * The five lists by name, most clicks first; where there are ties, in the order of their names. Each adds up to `total`:
 * clicks whose own rows are past their retention are unknown, those of referrers past the hundredth are others.
 */
export function breakdownsOf(values: Values, total: number) {
  // Of devices all are known, as there are few.
  const rest = total - countOf(values.get("device"));
  const list = <Name extends string>(name: Name) =>
    labelled(name, values.get(name) ?? [], total, rest).map(
      ({ value, clicks }) => ({ [name]: value, clicks }) as { [key in Name]: string } & { clicks: number },
    );
  return {
    countries: list("country"),
    devices: list("device"),
    browsers: list("browser"),
    os: list("os"),
    referrers: list("referrer"),
  };
}

function labelled(name: string, values: readonly ValueCount[], total: number, rest: number): ValueCount[] {
  const byLabel = new Map<string, number>();
  const add = (label: string, clicks: number) => {
    if (clicks > 0) byLabel.set(label, (byLabel.get(label) ?? 0) + clicks);
  };
  for (const { value, clicks } of values) add(labelOf(name, value), clicks);
  add(unknown, rest);
  add(otherReferrers, total - rest - countOf(values));
  return Array.from(byLabel, ([value, clicks]) => ({ value, clicks })).toSorted(byClicks);
}

const countOf = (list: readonly ValueCount[] = []) => list.reduce((sum, { clicks }) => sum + clicks, 0);

export const byClicks = (a: ValueCount, b: ValueCount) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1);
