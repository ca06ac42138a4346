import { expect, it } from "vitest";
import type { Decision } from "../../src/index.ts";
import { decide } from "../../src/redirects/decide.ts";
import { issueUnlockToken } from "../../src/redirects/rules/password.ts";
import { noRules } from "../../src/redirects/rules/rules.ts";
import { routeOf } from "../../src/redirects/route.ts";
import { randomFrom, randomVisits } from "./random-visits.ts";
import { slowEnd } from "./slow-decision.ts";

const linkCount = 20_000;
const visitsOfEach = 5;

const wordsFor = (decision: Decision): string => {
  if (decision.kind === "redirect") return `${decision.status ?? 302} ${decision.location}`;
  return decision.kind === "gone" ? `gone: ${decision.reason}` : decision.kind;
};

it.each([2026])(
  "100,000 visits of random links end as a second implementation says: seed %d",
  async (seed) => {
    const random = randomVisits(randomFrom(seed));
    const ends = new Map<string, number>();
    for (let number = 0; number < linkCount; number++) {
      const link = { ...random.link(`link ${number}`), ...random.options() };
      const { hasPassword, rules, geo_rules, ...plain } = link;
      const password_hash = hasPassword ? "a hash" : null;
      const orNull = <T>(list: T[]) => (list.length > 0 ? list : null);
      // Stored and read again, as by the database.
      const stored = structuredClone({ rules: orNull(rules), geo_rules: orNull(geo_rules) });
      const route = routeOf({ ...noRules, ...plain, ...stored, password_hash });
      for (let visits = 0; visits < visitsOfEach; visits++) {
        const visit = random.visit();
        const slow = { ...visit.slow, ...random.moment() };
        const { isUsedUp, isLinkPreview } = slow;
        const visitor = { ...visit.visitor, id: () => slow.id, isLinkPreview: () => isLinkPreview };
        const now = slow.time.getTime();
        const unlock_token =
          slow.isUnlocked && hasPassword ? issueUnlockToken("a hash", link.id, now) : undefined;
        const decision = await decide(
          route,
          now,
          { ...visitor, unlock_token },
          () => {},
          () => isUsedUp,
        );
        const expected = slowEnd(link, slow);
        const end = wordsFor(decision);
        if (end !== expected) expect({ seed, link, slow, end }).toEqual({ seed, link, slow, end: expected });
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    }
    // Each end was reached often: the comparison compared something.
    for (const end of ["inactive", "expired", "used_up"])
      expect(ends.get(`gone: ${end}`)).toBeGreaterThan(500);
    for (const end of ["not_found", "password", "link_preview", "302 https://example.com/fallback"])
      expect(ends.get(end)).toBeGreaterThan(500);
    for (const status of [301, 302, 307, 308]) {
      expect(ends.get(`${status} https://example.com/destination`)).toBeGreaterThan(500);
      for (let at = 0; at < 5; at++)
        expect(ends.get(`${status} https://example.com/rule-${at}`)).toBeGreaterThan(100);
    }
  },
);
