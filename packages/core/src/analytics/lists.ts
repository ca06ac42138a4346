import { labelOf, most, unknown, type Value, type Values } from "./values.ts";

/** The five lists by name, most clicks first; where there are ties, in the order of their names. */
export function listsOf(values: Values, rest: number) {
  const list = <Name extends string>(name: Name) =>
    labelled(name, values.get(name) ?? [], rest).map(
      ({ value, clicks }) => ({ [name]: value, clicks }) as { [key in Name]: string } & { clicks: number },
    );
  return {
    countries: list("country"),
    devices: list("device"),
    browsers: list("browser"),
    os: list("os"),
    referrers: list("referrer").slice(0, most),
  };
}

/** `rest` are clicks of which nothing more is known: their own rows are past their retention. */
function labelled(name: string, values: readonly Value[], rest: number): Value[] {
  const byLabel = new Map<string, number>(rest > 0 ? [[unknown, rest]] : []);
  for (const { value, clicks } of values) {
    const label = labelOf(name, value);
    byLabel.set(label, (byLabel.get(label) ?? 0) + clicks);
  }
  return Array.from(byLabel, ([value, clicks]) => ({ value, clicks })).toSorted(byClicks);
}

export const byClicks = (a: Value, b: Value) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1);
