import type { Permits } from "../clicks/permits/permits.ts";
import { decide } from "./decide.ts";
import type { Decision, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";

/**
 * Decides a visit of a link with a `click_limit`. A person takes one of the clicks once everything else redirects the visit.
 * Bots see what people see and take none.
 */
export async function decideLimited(
  permits: Permits,
  route: Route,
  { limit, now, visitor }: { limit: number; now: number; visitor: Visitor },
): Promise<Decision> {
  const { link_id } = route;
  const isBot = visitor.isBot?.() ?? false;
  // A person without a password to enter is about to take a click, which tells the same.
  const mayTake = !isBot && route.rules?.password_hash === null;
  const decision = await decide(route, now, visitor, undefined, () =>
    mayTake ? permits.isKnownUsedUp(link_id, limit) : permits.isUsedUp(link_id, limit),
  );
  if (decision.kind !== "redirect" || decision.counts_as === "fallback") return decision;
  if (isBot) return { ...decision, counts_as: "bot" };
  const taken = await permits.take(link_id, limit);
  if (taken === "click") return { ...decision, counts_as: "limited" };
  if (taken === "no limit") return decision;
  if (taken === "deleted") return { kind: "not_found" };
  return decide(route, now, visitor, undefined, () => true);
}
