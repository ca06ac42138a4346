import type { Permits } from "../clicks/permits.ts";
import type { Decision, UnlockToken, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";
import { hasExpired } from "./rules/availability.ts";
import { forwardPath } from "./rules/reshape.ts";
import { passed, type RuleKind, type Verdict, type Visit } from "./rules/rule.ts";
import { anyRules, type CachedRules, noRules } from "./rules/rules.ts";

/** Receives each rule that is evaluated. `verdict` is null if the link has no such rule. */
export type OnRule = (kind: RuleKind, value: unknown, verdict: Verdict | null) => void;

/** True if `decide` sends every visitor to the destination, so that the hot path need not call it. */
export const isPlain = (route: Route, now: number): boolean =>
  route.rules === null && !hasExpired(route.expires_at, now);

const notFound: Decision = { kind: "not_found" };

const decidingRules = anyRules.filter((kind) => kind.reshape === undefined);
const reshapingRules = anyRules.filter((kind) => kind.reshape !== undefined);

/**
 * Evaluates a link's rules in their order, see rules/rules.ts. If none decides, the link leads to its destination.
 * `isUsedUp` says whether all clicks of the link's limit are used. A promise only if a rule has to wait, as the one for
 * passwords does.
 */
export function decide(
  route: Route,
  now: number,
  visitor: Visitor,
  onRule: OnRule = () => {},
  isUsedUp: Visit["isUsedUp"] = () => false,
): Decision | Promise<Decision> {
  const { link_id, destination, expires_at, rules } = route;
  const visit: Visit = { link_id, now, visitor, isUsedUp };
  const values: CachedRules = rules ?? { ...noRules, expires_at };
  let unlockToken: UnlockToken | undefined;
  const finished = (decision: Decision): Decision => {
    const reshaped = reshape(decision, values, visit, onRule);
    return reshaped.kind === "redirect" && unlockToken
      ? { ...reshaped, unlock_token: unlockToken }
      : reshaped;
  };

  const { path = "" } = visitor;
  // One slash after the slug changes nothing: mail programs and people add it.
  if (path !== "" && path !== "/" && !values.forward_path) {
    onRule(forwardPath, false, notFound);
    return notFound;
  }
  if (rules?.gone) return { kind: "gone", reason: rules.gone };
  return decideFrom(0);

  function decideFrom(first: number): Decision | Promise<Decision> {
    for (let at = first; at < decidingRules.length; at++) {
      const kind = decidingRules[at] as RuleKind;
      const value = values[kind.column as keyof CachedRules];
      const verdict = value === null ? null : (kind.decide?.(value, visit) ?? passed);
      if (verdict instanceof Promise) {
        return verdict.then((waited) => decisionOf(kind, value, waited) ?? decideFrom(at + 1));
      }
      const decision = decisionOf(kind, value, verdict);
      if (decision !== null) return decision;
    }
    if (rules?.page) return { kind: "bucket", link_id, page: rules.page };
    return finished({ kind: "redirect", link_id, location: destination, variant: null });
  }

  /** A rule's decision; null if it leaves it to the next one. */
  function decisionOf(kind: RuleKind, value: unknown, verdict: Verdict | null): Decision | null {
    onRule(kind, value, verdict);
    if (verdict === null) return null;
    if (verdict.kind !== "passed") return replaced(verdict, values, visit, onRule) ?? finished(verdict);
    unlockToken ??= verdict.unlock_token;
    return null;
  }
}

/** Applies the rules that do not decide but change the redirect: its status, and additions to its location. */
function reshape(decision: Decision, values: CachedRules, visit: Visit, onRule: OnRule): Decision {
  let result = decision;
  for (const kind of reshapingRules) {
    const value = values[kind.column as keyof CachedRules];
    if (result.kind !== "redirect" || value === null) continue;
    result = kind.reshape?.(value, result, visit) ?? result;
    onRule(kind, value, result.kind === "redirect" ? passed : result);
  }
  return result;
}

/** Another rule's answer that replaces the decision; null if there is none. */
function replaced(decision: Decision, values: CachedRules, visit: Visit, onRule: OnRule): Decision | null {
  for (const kind of anyRules) {
    const value = values[kind.column as keyof CachedRules];
    const replacement = value === null ? null : (kind.instead?.(value, decision, visit) ?? null);
    if (replacement === null) continue;
    onRule(kind, value, replacement);
    return replacement;
  }
  return null;
}

/**
 * Decides a visit of a link with a `click_limit`. A person reserves one of the clicks once everything else redirects the visit.
 * Bots see what people see and reserve none.
 */
export async function decideLimited(
  permits: Permits,
  route: Route,
  { limit, now, visitor }: { limit: number; now: number; visitor: Visitor },
): Promise<Decision> {
  const { link_id } = route;
  const isBot = visitor.isBot?.() ?? false;
  // A person without a password to enter is about to reserve a click, which answers the same question.
  const mayTake = !isBot && route.rules?.password_hash === null;
  const decision = await decide(route, now, visitor, undefined, () =>
    mayTake ? permits.isKnownUsedUp(link_id, limit) : permits.isUsedUp(link_id, limit),
  );
  if (decision.kind !== "redirect" || decision.counts_as === "fallback") return decision;
  if (isBot) return { ...decision, counts_as: "bot" };
  const reservation = await permits.reserve(link_id, limit);
  if (reservation === "click") return { ...decision, counts_as: "limited" };
  if (reservation === "no limit") return decision;
  if (reservation === "deleted") return { kind: "not_found" };
  return decide(route, now, visitor, undefined, () => true);
}
