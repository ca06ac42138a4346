import { hostOfDestination } from "../safety/screening/host-name.ts";
import type { HostLists } from "../safety/screening/screening.types.ts";
import type { Route } from "./route.ts";
import { anyOptions, type CachedRules, noRules } from "./rules/rules.ts";

type Lists = Pick<HostLists, "isBlocked">;

/** Marks a route that leads to a blocked host. It is not plain then, so the hot path need not check the mark. */
export function screened(route: Route, lists: Lists): Route {
  if (blockedHostOf(route, lists) === null) return route;
  const rules = route.rules ?? { ...noRules, expires_at: route.expires_at, page: null };
  return { ...route, rules: { ...rules, isBlocked: true } };
}

/** Returns whether the lists have changed what `screened` returns for a route. */
export const isOutdated = (route: Route, lists: Lists): boolean =>
  (blockedHostOf(route, lists) !== null) !== (route.rules?.isBlocked ?? false);

/** Returns the first blocked host that a route leads to, or null. The links on a bucket's page have their own routes. */
export function blockedHostOf({ destination, rules }: Route, lists: Lists): string | null {
  const urls = [destination];
  if (rules !== null) {
    for (const { column, urlsIn } of anyOptions) {
      const value = rules[column as keyof CachedRules];
      if (value !== null) urls.push(...urlsIn(value).map(([, url]) => url));
    }
  }
  return urls.map(hostOfDestination).find(lists.isBlocked) ?? null;
}
