import { expect, it } from "vitest";
import type { Decision } from "../../src/index.ts";
import { decide, issueUnlockToken, noRules, routeOf } from "../../src/redirects/index.ts";
import { randomFrom, randomVisits } from "./random-visits.ts";
import { slowDecision } from "./slow-decision.ts";

const linkCount = 20_000;
const visitsOfEach = 5;

const wordsFor = (decision: Decision): string => {
  if (decision.kind === "redirect") return decision.location;
  return decision.kind === "gone" ? `gone: ${decision.reason}` : decision.kind;
};

it.each([2026])(
  "100,000 visits of random links end as a second implementation says: seed %d",
  async (seed) => {
    const { link: randomLink, visit: randomVisit } = randomVisits(randomFrom(seed));
    const ends = new Map<string, number>();
    for (let number = 0; number < linkCount; number++) {
      const link = randomLink(`link ${number}`);
      const { hasPassword, rules, geo_rules, ...plain } = link;
      const password_hash = hasPassword ? "a hash" : null;
      const orNull = <T>(list: T[]) => (list.length > 0 ? list : null);
      // Stored and read again, as by the database.
      const stored = structuredClone({ rules: orNull(rules), geo_rules: orNull(geo_rules) });
      const route = routeOf({ ...noRules, ...plain, ...stored, password_hash });
      for (let visits = 0; visits < visitsOfEach; visits++) {
        const { slow, visitor } = randomVisit();
        const now = slow.time.getTime();
        const unlock_token =
          slow.isUnlocked && hasPassword ? issueUnlockToken("a hash", link.id, now) : undefined;
        const decision = await decide(route, now, { ...visitor, id: () => slow.id, unlock_token });
        const expected = slowDecision(link, slow);
        const end = wordsFor(decision);
        if (end !== expected) expect({ seed, link, slow, end }).toEqual({ seed, link, slow, end: expected });
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    }
    // Each end was reached often: the comparison compared something.
    for (const end of ["gone: inactive", "gone: expired", "password", "https://example.com/destination"])
      expect(ends.get(end)).toBeGreaterThan(500);
    for (let at = 0; at < 6; at++) expect(ends.get(`https://example.com/rule-${at}`)).toBeGreaterThan(200);
  },
);
