import { isReferredFrom } from "../../clicks/derive/referrer.ts";
import type { Visitor } from "../../redirects/redirects.types.ts";
import { decide } from "../../redirects/decide.ts";
import { type AbTest, type Draws, urlsFor } from "../../redirects/rules/ab-test.ts";
import type { LinkRule } from "../../redirects/rules/conditional.ts";
import type { Conditions } from "../../redirects/rules/conditions/conditions.ts";
import type { GeoRule } from "../../redirects/rules/geo.ts";
import { noRules } from "../../redirects/rules/rules.ts";
import { routeOf } from "../../redirects/route.ts";
import type { Fact, PastClick } from "./past-clicks.ts";

/** The options of a link or draft that decide where a click goes. */
export interface Choices {
  destination: string;
  rules: LinkRule[] | null;
  geo_rules: GeoRule[] | null;
  ab_test: AbTest | null;
}

/** Conditions on what is not stored of a click. */
const unrecorded = ["language", "query", "ip"] as const satisfies (keyof Conditions)[];

/** The fact that a condition needs; `after` and `before` need the time only. */
const factFor: { readonly [Name in keyof Conditions]?: Fact } = {
  country: "country",
  continent: "country",
  device: "device",
  os: "os",
  browser: "browser",
  referrer: "referrer",
};

/** The facts on which the outcome of clicks depends, besides the time. */
export const factsFor = ({ rules, geo_rules, ab_test }: Choices): Set<Fact> =>
  new Set([
    ...(geo_rules ? (["country"] as const) : []),
    ...(ab_test ? (["variant"] as const) : []),
    ...(rules ?? []).flatMap(({ when }) =>
      Object.keys(when).flatMap((name) => factFor[name as keyof Conditions] ?? []),
    ),
  ]);

/** Which of a rule's conditions can be evaluated: all, all except `unrecorded`, or not the referrer either. */
type Replayability = "all" | "some" | "noReferrer";

/** All draws of an A/B test: nothing is known of the visitor's. */
const anyDraw: Draws = [0, 1];

/** Stands for the destination in routes; a rule's position stands for its URL. */
const ownDestination = "own";

/**
 * Returns where a click goes, by the function that redirects; null if its stored facts do not decide it. A rule with a
 * condition that cannot be evaluated may apply or not: the outcome is known only if it is the same either way.
 */
export function outcomesOf(choices: Choices): (click: PastClick) => string | null {
  const rules = choices.rules ?? [];
  const replayabilityOf = evaluatorOf(rules);
  const routes = new Map<string, ReturnType<typeof routeOf>>();

  /** The link if none of its uncertain rules before a position applies, and all others do as far as is recorded. */
  function routeFor(replayability: readonly Replayability[], from: number) {
    const key = `${from} ${replayability.join()}`;
    const known = routes.get(key);
    if (known) return known;
    const possible = rules.flatMap(({ when }, at) =>
      replayability[at] !== "all" && at < from
        ? []
        : { when: recordedPart(when, replayability[at] as Replayability), url: String(at) },
    );
    const { geo_rules } = choices;
    const route = routeOf({ ...noRules, id: "", destination: ownDestination, rules: possible, geo_rules });
    routes.set(key, route);
    return route;
  }

  return (click) => {
    const visitor = visitorOf(click);
    const replayability = replayabilityOf(click.referrer);
    const possible = new Set<string>();
    for (let from = 0; possible.size < 2; ) {
      const decision = decide(routeFor(replayability, from), click.time, visitor);
      if (!("kind" in decision) || decision.kind !== "redirect")
        throw new Error("A past click was not redirected");
      const { location } = decision;
      const position = Number(location);
      const rule = rules[position];
      const urls = rule
        ? [rule.url]
        : location === ownDestination
          ? destinationsFor(choices, click)
          : [location];
      for (const url of urls) possible.add(url);
      if (!rule || replayability[position] === "all") break;
      from = position + 1;
    }
    const [url = null, ...others] = possible;
    return others.length === 0 ? url : null;
  };
}

/** Returns which conditions of each rule can be evaluated for clicks with a referrer. */
function evaluatorOf(rules: readonly LinkRule[]): (referrer: string) => readonly Replayability[] {
  const evaluators = rules.map(({ when }) => {
    const hosts = when.referrer && new Set(when.referrer);
    const replayability: Replayability = unrecorded.some((name) => when[name] !== undefined) ? "some" : "all";
    return (referrer: string): Replayability =>
      hosts && isReferredFrom(referrer, hosts) === null ? "noReferrer" : replayability;
  });
  const known = new Map<string, readonly Replayability[]>();
  return (referrer) => {
    const found = known.get(referrer) ?? evaluators.map((evaluate) => evaluate(referrer));
    known.set(referrer, found);
    return found;
  };
}

function recordedPart(when: Conditions, replayability: Replayability): Conditions {
  if (replayability === "all") return when;
  const part = { ...when };
  for (const name of unrecorded) delete part[name];
  if (replayability === "noReferrer") delete part.referrer;
  return part;
}

const destinationsFor = ({ ab_test, destination }: Choices, { draws }: PastClick): string[] =>
  ab_test ? urlsFor(ab_test, draws ?? anyDraw) : [destination];

const visitorOf = ({ country, device, os, browser, referrer }: PastClick): Visitor => ({
  country: () => country || null,
  id: () => "",
  agent: () => ({ device: device || null, os: os || null, browser: browser || null }),
  referrer: () => (referrer === "" ? "" : `https://${referrer}/`),
});
