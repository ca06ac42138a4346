/** Where a link of another service leads besides its destination, as rules of ours; pure. */

import type { Kind } from "./columns.ts";
import { withHttps } from "./text.ts";
import { isNo, isYes, structureOf, textOf } from "./values.ts";

export interface Routes {
  rules?: unknown[];
  geo_rules?: unknown[];
  ab_test?: object;
  forward_query?: string;
}

type Cell = readonly [at: number, value: unknown];

/** Reads them from the cells of a kind; `lost` are the columns whose value is no such thing. */
export function routesOf(
  cellsOf: (kind: Kind) => readonly Cell[],
  url: string,
): { rules: Routes; lost: number[] } {
  const found: Routes = {};
  const lost: number[] = [];
  const filled = (kind: Kind) =>
    cellsOf(kind).filter(([, value]) => structureOf(value) !== null || !isNo(textOf(value)));
  /** Uses the value of each column of a kind, unless it is none of ours. */
  const take = (kind: Kind, use: (value: unknown) => boolean) => {
    for (const [at, value] of filled(kind)) if (!use(value)) lost.push(at);
  };

  for (const kind of ["rules", "geo_rules"] as const)
    take(kind, (value) => {
      const list = structureOf(value);
      if (!Array.isArray(list)) return false;
      if (list.length > 0) found[kind] = [...(found[kind] ?? []), ...list];
      return true;
    });
  for (const [kind, system] of [
    ["ios", "iOS"],
    ["android", "Android"],
  ] as const)
    take(kind, (value) => {
      const to = withHttps(textOf(value));
      if (to !== null) found.rules = [...(found.rules ?? []), { when: { os: [system] }, url: to }];
      return to !== null;
    });
  take("geo", (value) => {
    const byCountry = structureOf(value);
    if (byCountry === null || Array.isArray(byCountry)) return false;
    const rules = Object.entries(byCountry).map(([country, to]) => ({ country, url: textOf(to) }));
    if (rules.length > 0) found.geo_rules = [...(found.geo_rules ?? []), ...rules];
    return true;
  });
  take("ab_test", (value) => {
    const test = structureOf(value);
    if (test !== null) found.ab_test = test;
    return test !== null;
  });
  take("variants", (value) => {
    const list = structureOf(value);
    if (!Array.isArray(list)) return false;
    const variants = list.map((each: Readonly<Record<string, unknown>> | null) => ({
      url: textOf(each?.["url"]),
      weight: Math.round(Number(each?.["percentage"] ?? each?.["weight"])),
    }));
    if (variants.length > 1) found.ab_test = { variants };
    return true;
  });
  take("split_url", (value) => {
    const second = withHttps(textOf(value));
    const percent = Number(textOf(cellsOf("split_percent")[0]?.[1]).replace("%", "") || 50);
    if (second === null || !(percent > 0 && percent < 100)) return false;
    const weight = Math.round(percent);
    found.ab_test = {
      variants: [
        { url, weight: 100 - weight },
        { url: second, weight },
      ],
    };
    return true;
  });
  take("query", (value) => {
    const text = textOf(value);
    if (/^(?:none|keep|override)$/.test(text)) found.forward_query = text;
    else if (isYes(text)) found.forward_query = "override";
    else return false;
    return true;
  });
  return { rules: found, lost };
}
