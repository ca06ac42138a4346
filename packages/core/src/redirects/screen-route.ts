import { hostOfDestination, type HostLists } from "../screening/index.ts";
import type { Route } from "./route.ts";
import { anyOptions, type CachedRules, noRules } from "./rules/index.ts";

type Lists = Pick<HostLists, "isBlocked">;

/** Marks a route that leads to a blocked host. It is no plain route then, so the hot path need not look at the mark. */
export function screened(route: Route, lists: Lists): Route {
  if (!isBlocked(route, lists)) return route;
  const rules = route.rules ?? { ...noRules, expires_at: route.expires_at, page: null };
  return { ...route, rules: { ...rules, isBlocked: true } };
}

/** Returns whether the mark of a route is out of date. */
export const isOutdated = (route: Route, lists: Lists): boolean =>
  isBlocked(route, lists) !== (route.rules?.isBlocked ?? false);

/** A bucket's page is not blocked by its links: each of them has a route of its own. */
function isBlocked({ destination, rules }: Route, lists: Lists): boolean {
  if (lists.isBlocked(hostOfDestination(destination))) return true;
  if (rules === null) return false;
  return anyOptions.some((kind) => {
    const value = rules[kind.column as keyof CachedRules];
    if (value === null) return false;
    return kind.urlsIn(value).some(([, url]) => lists.isBlocked(hostOfDestination(url)));
  });
}
