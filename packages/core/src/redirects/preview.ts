import type { Permits } from "../clicks/permits.ts";
import { decide } from "./decide.ts";
import type { Preview, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";
import type { Routes } from "./routes.ts";
import { allOptionKinds, type CachedRules } from "./rules/rules.ts";

/** Rules that depend on the visitor do not decide. */
export const unknownVisitor: Visitor = { country: () => null, id: () => "" };

/** Describes where a route leads, without following it. A protected link keeps its destination and title to itself. */
export async function previewOf(
  { routes, permits }: { routes: Pick<Routes, "describe">; permits: Pick<Permits, "isUsedUp"> },
  route: Route,
  now: number,
): Promise<Preview> {
  const { link_id } = route;
  const limit = route.rules?.click_limit ?? 0;
  const decision = await decide(route, now, unknownVisitor, undefined, () =>
    permits.isUsedUp(link_id, limit),
  );
  if (decision.kind === "gone" || decision.kind === "not_found") return decision;
  // Only bots get one.
  if (decision.kind === "link_preview") return { kind: "not_found" };
  const description = await routes.describe(link_id);
  if (description === undefined) return { kind: "not_found" };
  const created_at = new Date(description.created_at);
  if (decision.kind === "password") return { kind: "protected", link_id, created_at };
  if (decision.kind === "bucket") return { kind: "bucket", link_id, created_at, page: decision.page };
  const { title } = description;
  const { location, variant } = decision;
  if (decision.counts_as === "fallback")
    return { kind: "link", link_id, created_at, title, destination: location, others: [] };
  const others = urlsOf(route, variant === null);
  others.delete(location);
  return { kind: "link", link_id, created_at, title, destination: location, others: [...others] };
}

/** Every URL that a route may lead to. An A/B test leaves no visitor for the destination itself. */
function urlsOf({ destination, rules }: Route, withDestination: boolean): Set<string> {
  const urls = new Set(withDestination ? [destination] : []);
  for (const { column, urlsIn, urlsAreShown } of rules === null ? [] : allOptionKinds) {
    if (urlsAreShown) continue;
    const value = rules?.[column as keyof CachedRules] ?? null;
    if (value !== null) for (const [, url] of urlsIn?.(value) ?? []) urls.add(url);
  }
  return urls;
}
