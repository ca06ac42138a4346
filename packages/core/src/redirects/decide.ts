import { verifyPassword } from "../crypto/password-hash.ts";
import type { Decision, UnlockToken, Visitor } from "./redirects.types.ts";
import { isUnlockToken, issueUnlockToken, unlockSeconds } from "./unlock-token.ts";
import type { Route } from "./route.ts";
import { geoUrl, variantOf } from "./targeting.ts";

/** What decides where a link leads. */
export type Rule = "inactive" | "expired" | "password" | "geo" | "ab_test" | "destination";

const hasExpired = ({ expires_at }: Route, now: number) => expires_at !== null && expires_at <= now;

/** True where `decide` sends everybody to the destination: the hot path need not ask it. */
export const isPlain = (route: Route, now: number): boolean =>
  route.rules === null && !hasExpired(route, now);

/**
 * The one place where the order of rules stands: active, expiry, password, country rule, A/B variant, destination.
 * `saw` hears of each rule that was looked at, and whether it was the one.
 */
export async function decide(
  route: Route,
  now: number,
  visitor: Visitor,
  saw: (rule: Rule, decided: boolean) => void = () => {},
): Promise<Decision> {
  const { link_id, destination, rules } = route;
  const decides = (rule: Rule, so: boolean) => {
    saw(rule, so);
    return so;
  };
  let pass: UnlockToken | undefined;
  const to = (rule: Rule, location: string, variant: number | null = null): Decision => {
    saw(rule, true);
    return { kind: "redirect", link_id, location, variant, ...(pass && { pass }) };
  };

  if (decides("inactive", rules?.is_active === false)) return { kind: "gone", reason: "inactive" };
  if (decides("expired", hasExpired(route, now))) return { kind: "gone", reason: "expired" };
  if (rules === null) return to("destination", destination);
  if (rules.password_hash !== null) {
    const { password, unlock_token: earlier = "" } = visitor;
    const isOpen =
      password === undefined
        ? isUnlockToken(earlier, rules.password_hash, link_id, now)
        : await verifyPassword(password, rules.password_hash);
    if (decides("password", !isOpen)) return { kind: "password", link_id, wrong: password !== undefined };
    if (password !== undefined) {
      pass = { value: issueUnlockToken(rules.password_hash, link_id, now), seconds: unlockSeconds };
    }
  }
  if (rules.page !== null) return { kind: "bucket", link_id, page: rules.page };
  if (rules.geo_rules !== null) {
    const url = geoUrl(rules.geo_rules, visitor.country());
    if (url !== null) return to("geo", url);
    saw("geo", false);
  }
  if (rules.ab_test === null) return to("destination", destination);
  const variant = variantOf(rules.ab_test, link_id, visitor.id());
  return to("ab_test", rules.ab_test.variants[variant]?.url ?? destination, variant);
}
