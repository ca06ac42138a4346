import { isReferredFrom } from "../../clicks/derive/referrer.ts";
import type { AbTest, Conditions, GeoRule, LinkRule, Visitor } from "../../redirects/redirects.types.ts";
import { decide } from "../../redirects/decide.ts";
import { type Draws, urlsFor } from "../../redirects/rules/ab-test.ts";
import { noRules } from "../../redirects/rules/rules.ts";
import { routeOf } from "../../redirects/route.ts";
import type { Fact, PastClick } from "./past-clicks.ts";

/** What decides where a click goes, of a link or of a draft. */
export interface Choices {
  destination: string;
  rules: LinkRule[] | null;
  geo_rules: GeoRule[] | null;
  ab_test: AbTest | null;
}

/** Conditions on what is not stored of a click. */
const untold = ["language", "query", "ip"] as const satisfies (keyof Conditions)[];

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

/** How much can be told of a rule's conditions: all, all except `untold`, or not the referrer either. */
type Told = "all" | "some" | "noReferrer";

/** All draws of an A/B test: nothing is known of the visitor's. */
const anyDraw: Draws = [0, 1];

/** Takes the place of the destination in routes; the places of the rules that of their URLs. */
const rest = "rest";

/**
 * Returns where a click goes, by the function that redirects; null if what is stored of it does not tell. A rule with a
 * condition that cannot be told may apply or not: the outcome is known only if it is the same either way.
 */
export function outcomesOf(choices: Choices): (click: PastClick) => string | null {
  const rules = choices.rules ?? [];
  const toldOf = tellers(rules);
  const routes = new Map<string, ReturnType<typeof routeOf>>();

  /** The link if none of its doubtful rules before a place applies, and all others do as far as can be told. */
  function routeFor(told: readonly Told[], from: number) {
    const key = `${from} ${told.join()}`;
    const known = routes.get(key);
    if (known) return known;
    const possible = rules.flatMap(({ when }, at) =>
      told[at] !== "all" && at < from ? [] : { when: toldPart(when, told[at] as Told), url: String(at) },
    );
    const { geo_rules } = choices;
    const route = routeOf({ ...noRules, id: "", destination: rest, rules: possible, geo_rules });
    routes.set(key, route);
    return route;
  }

  return (click) => {
    const visitor = visitorOf(click);
    const told = toldOf(click.referrer);
    const possible = new Set<string>();
    for (let from = 0; possible.size < 2; ) {
      const decision = decide(routeFor(told, from), click.time, visitor);
      if (!("kind" in decision) || decision.kind !== "redirect")
        throw new Error("A past click was not redirected");
      const { location } = decision;
      const place = Number(location);
      const rule = rules[place];
      const urls = rule ? [rule.url] : location === rest ? restFor(choices, click) : [location];
      for (const url of urls) possible.add(url);
      if (!rule || told[place] === "all") break;
      from = place + 1;
    }
    const [url = null, ...others] = possible;
    return others.length === 0 ? url : null;
  };
}

/** Returns how much can be told of each rule about clicks with a referrer. */
function tellers(rules: readonly LinkRule[]): (referrer: string) => readonly Told[] {
  const tellersOfRules = rules.map(({ when }) => {
    const hosts = when.referrer && new Set(when.referrer);
    const told: Told = untold.some((name) => when[name] !== undefined) ? "some" : "all";
    return (referrer: string): Told =>
      hosts && isReferredFrom(referrer, hosts) === null ? "noReferrer" : told;
  });
  const known = new Map<string, readonly Told[]>();
  return (referrer) => {
    const found = known.get(referrer) ?? tellersOfRules.map((teller) => teller(referrer));
    known.set(referrer, found);
    return found;
  };
}

function toldPart(when: Conditions, told: Told): Conditions {
  if (told === "all") return when;
  const part = { ...when };
  for (const name of untold) delete part[name];
  if (told === "noReferrer") delete part.referrer;
  return part;
}

const restFor = ({ ab_test, destination }: Choices, { draws }: PastClick): string[] =>
  ab_test ? urlsFor(ab_test, draws ?? anyDraw) : [destination];

const visitorOf = ({ country, device, os, browser, referrer }: PastClick): Visitor => ({
  country: () => country || null,
  id: () => "",
  agent: () => ({ device: device || null, os: os || null, browser: browser || null }),
  referrer: () => (referrer === "" ? "" : `https://${referrer}/`),
});
