import type { Decision, UnlockToken, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";
import { hasExpired } from "./rules/expiry.ts";
import { anyRules, type CachedRules, noRules } from "./rules/index.ts";
import type { RuleKind, Verdict, Visit } from "./rules/rule.ts";

/** Receives each rule that is evaluated. `verdict` is null if the link has no such rule. */
export type OnRule = (kind: RuleKind, value: unknown, verdict: Verdict | null) => void;

/** True if `decide` sends every visitor to the destination, so that the hot path need not call it. */
export const isPlain = (route: Route, now: number): boolean =>
  route.rules === null && !hasExpired(route.expires_at, now);

/**
 * Evaluates a link's rules in their order, see rules/index.ts. If none decides, the link leads to its destination.
 * `isUsedUp` says whether all clicks of the link's limit are taken.
 */
export async function decide(
  route: Route,
  now: number,
  visitor: Visitor,
  onRule: OnRule = () => {},
  isUsedUp: Visit["isUsedUp"] = () => false,
): Promise<Decision> {
  const { link_id, destination, expires_at, rules } = route;
  const visit: Visit = { link_id, now, visitor, isUsedUp };
  const values: CachedRules = rules ?? { ...noRules, expires_at };
  let unlockToken: UnlockToken | undefined;
  const withToken = (decision: Decision): Decision =>
    decision.kind === "redirect" && unlockToken ? { ...decision, unlock_token: unlockToken } : decision;

  if (rules?.isSuspended) return { kind: "gone", reason: "disabled" };
  if (rules?.isLeaving) return { kind: "gone", reason: "inactive" };
  if (rules?.isBlocked) return { kind: "gone", reason: "blocked" };
  for (const kind of anyRules) {
    const value = values[kind.column as keyof CachedRules];
    const verdict = value === null ? null : await kind.decide(value, visit);
    onRule(kind, value, verdict);
    if (verdict === null) continue;
    if (verdict.kind !== "passed") return withToken(replaced(verdict, values, visit, onRule));
    unlockToken ??= verdict.unlock_token;
  }
  if (rules?.page) return { kind: "bucket", link_id, page: rules.page };
  return withToken({ kind: "redirect", link_id, location: destination, variant: null });
}

/** What a link answers after one of its rules decided: another rule may replace that. */
function replaced(decision: Decision, values: CachedRules, visit: Visit, onRule: OnRule): Decision {
  for (const kind of anyRules) {
    const value = values[kind.column as keyof CachedRules];
    const other = value === null ? null : (kind.instead?.(value, decision, visit) ?? null);
    if (other === null) continue;
    onRule(kind, value, other);
    return other;
  }
  return decision;
}
