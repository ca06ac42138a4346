import { countryOf } from "@terse/core";
import { countries, type Country } from "./data/countries.ts";
import { referrers } from "./data/referrers.ts";
import { botAgents, userAgents } from "./data/user-agents.ts";
import type { Target } from "./plan-links.ts";
import { Random, weighted, Weights } from "../clicks/random.ts";

/** Who visits a link. */
export interface Visitor {
  address: string;
  userAgent: string;
  referrer: string;
  /** Index of the A/B variant, -1 without a test */
  variant: number;
  /** Hours that the visitor's clock is ahead of UTC */
  offset: number;
}

/** Each has 254 addresses; finding all of them takes some 100 ms. */
const networksPerCountry = 32;
const maxTries = 2_000_000;
/** Share of visitors from the home country of a link that has one */
const homeShare = 0.65;

/** Where servers stand, with weights */
const servers: readonly (readonly [Country, number])[] = [
  ["US", 45],
  ["DE", 14],
  ["NL", 9],
  ["IE", 9],
  ["FR", 7],
  ["SG", 6],
  ["JP", 5],
  ["IN", 3],
  ["GB", 2],
];

/** Returns functions that draw visitors: the same ones from the same seed and random numbers. */
export function createVisitors(seed: number) {
  const networks = findNetworks(new Random(seed, 1));
  const drawCountry = weighted(countries.map(([code, share]) => [code, share]));
  const drawServer = weighted(servers);
  const offsets = new Map<Country, number>(countries.map(([code, , offset]) => [code, offset]));
  const drawAgent = weighted(userAgents);
  const drawBot = weighted(botAgents);
  const drawReferrer = Object.fromEntries(
    Object.entries(referrers).map(([channel, table]) => [channel, weighted(table)]),
  ) as Record<Target["channel"], (random: Random) => string>;
  const tests = new Map<readonly number[], Weights>();

  function variantOf({ variants }: Target, random: Random): number {
    if (variants.length === 0) return -1;
    let test = tests.get(variants);
    if (test === undefined) tests.set(variants, (test = new Weights(variants)));
    return test.draw(random);
  }

  const addressIn = (country: Country, random: Random) =>
    `${random.pick(networks.get(country) ?? [])}.${1 + random.below(254)}`;

  return {
    person(target: Target, random: Random): Visitor {
      const { home } = target;
      const country = home !== null && random.chance(homeShare) ? home : drawCountry(random);
      return {
        address: addressIn(country, random),
        userAgent: drawAgent(random),
        referrer: drawReferrer[target.channel](random),
        variant: variantOf(target, random),
        offset: offsets.get(country) ?? 0,
      };
    },
    /** Bots come from where servers stand, at any hour, without a referrer. */
    bot(target: Target, random: Random): Visitor {
      return {
        address: addressIn(drawServer(random), random),
        userAgent: drawBot(random),
        referrer: "",
        variant: variantOf(target, random),
        offset: random.below(24),
      };
    },
  };
}

/** Finds networks by country, by looking up random ones: each is the first three bytes of an IPv4 address. */
function findNetworks(random: Random): ReadonlyMap<Country, string[]> {
  const found = new Map<string, string[]>(countries.map(([code]) => [code, []]));
  let missing = found.size;
  for (let tries = 0; missing > 0 && tries < maxTries; tries++) {
    const network = `${1 + random.below(223)}.${random.below(256)}.${random.below(256)}`;
    const list = found.get(countryOf("", `${network}.1`) ?? "");
    if (list === undefined || list.length === networksPerCountry) continue;
    if (list.push(network) === networksPerCountry) missing -= 1;
  }
  return found as ReadonlyMap<Country, string[]>;
}
