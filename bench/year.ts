import type { RawClick } from "@terse/core";
import { agents, zipf } from "./traffic.ts";

/** Countries, roughly by their number of internet users. */
const countries =
  "IN CN US ID BR NG RU JP MX PH DE GB PK VN EG FR TR IT KR ES IR TH BD AR PL CA CO ZA SA UA MY MA DZ NL IQ AU PE UZ RO CL KE BE SE GR CZ PT HU IL AT CH DK FI NO IE NZ SG HK TW AE BG SK HR LT LV EE SI RS BY KZ GE AM AZ TN JO LB KW QA OM BH LK NP MM KH LA GH SN CI CM ET TZ UG RW ZM ZW MZ AO BO PY UY EC VE CR PA GT HN SV NI DO CU JM TT IS MT CY LU".split(
    " ",
  );
/** A few large referring sites, and many small ones. */
const bigSites = Array.from({ length: 40 }, (_, at) => `https://site-${at}.example/page?id=${at}`);
const smallSites = 50_000;

export const visitors = 200_000;
export const dayMs = 86_400_000;

/** A visit as numbers: what each stands for is the same in every run. */
export interface Visit {
  /** Its link's rank by clicks, from 0 */
  link: number;
  visitor: number;
  /** The number of its site, from 0; -1 without a referrer */
  site: number;
  /** Milliseconds since the start of its day */
  inDay: number;
}

/** Draws visits of a day: most around the middle, about half without a referrer. `random` as `Math.random`. */
export function visitSource(links: number, random: () => number = Math.random): () => Visit {
  const link = zipf(links, random);
  const bigSite = zipf(bigSites.length, random);
  const smallSite = zipf(smallSites, random);
  const site = () => {
    const draw = random();
    if (draw < 0.45) return -1;
    return draw < 0.9 ? bigSite() : bigSites.length + smallSite();
  };
  return () => ({
    visitor: Math.floor(random() * visitors),
    link: link(),
    inDay: Math.floor(((random() + random() + random()) / 3) * dayMs),
    site: site(),
  });
}

/** The country of each visitor, and the browser. */
const homes = Array.from({ length: visitors }, zipf(countries.length, numbersFrom(1)));
export const countryOf = (visitor: number): string => countries[homes[visitor] as number] as string;
export const agentOf = (visitor: number): string => agents[visitor % agents.length] as string;
const referrerOf = (site: number): string =>
  site < 0 ? "" : (bigSites[site] ?? `https://blog-${site - bigSites.length}.example/`);

/** The same visit as the log has it. */
export const clickOf = (
  { link, visitor, site, inDay }: Visit,
  linkIds: readonly string[],
  start: number,
): RawClick => ({
  link_id: linkIds[link] as string,
  time: start + inDay,
  address: `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
  user_agent: agentOf(visitor),
  referrer: referrerOf(site),
  country: countryOf(visitor),
  flags: 0,
  variant: -1,
});

/** Generates visits of the 24 hours from `start`. */
export function createVisits(linkIds: readonly string[]): (start: number) => RawClick {
  const visit = visitSource(linkIds.length);
  return (start) => clickOf(visit(), linkIds, start);
}

/** Numbers from 0 up to, but not including, 1, which are the same for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
