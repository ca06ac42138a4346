import type { RawClick } from "@terse/core";
import { Random, Weights } from "./random.ts";

/** Ranks 0 … count-1 by Zipf's law with exponent 1, like visits to short links. */
export const zipf = (count: number): Weights =>
  new Weights(Array.from({ length: count }, (_, at) => 1 / (at + 1)));

const platforms = [
  "Windows NT 10.0; Win64; x64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
  "Linux; Android 15; Pixel 9",
  "Linux; Android 14; SM-S921B",
];
/** User agents; every twentieth is a crawler. */
const agents = Array.from({ length: 2000 }, (_, at) =>
  at % 20 === 0
    ? `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html; v${at})`
    : `Mozilla/5.0 (${platforms[at % platforms.length]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (at % 41)}.0.${at}.0 Safari/537.36`,
);

/** Countries, roughly by their number of internet users. */
const countries =
  "IN CN US ID BR NG RU JP MX PH DE GB PK VN EG FR TR IT KR ES IR TH BD AR PL CA CO ZA SA UA MY MA DZ NL IQ AU PE UZ RO CL KE BE SE GR CZ PT HU IL AT CH DK FI NO IE NZ SG HK TW AE BG SK HR LT LV EE SI RS BY KZ GE AM AZ TN JO LB KW QA OM BH LK NP MM KH LA GH SN CI CM ET TZ UG RW ZM ZW MZ AO BO PY UY EC VE CR PA GT HN SV NI DO CU JM TT IS MT CY LU".split(
    " ",
  );
const siteOf = (at: number) => `https://site-${at}.example/page?id=${at}`;
/** A few large referring sites, and many small ones. */
const bigSites = Array.from({ length: 40 }, (_, at) => siteOf(at));
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

/** Draws visits of a day: most around the middle, about half without a referrer. */
export function visitSource(links: number, random: Random): () => Visit {
  const [link, bigSite, smallSite] = [zipf(links), zipf(bigSites.length), zipf(smallSites)];
  const site = () => {
    const draw = random.next();
    if (draw < 0.45) return -1;
    return draw < 0.9 ? bigSite.draw(random) : bigSites.length + smallSite.draw(random);
  };
  return () => ({
    visitor: random.below(visitors),
    link: link.draw(random),
    inDay: Math.floor(((random.next() + random.next() + random.next()) / 3) * dayMs),
    site: site(),
  });
}

/** The country of each visitor, and the browser. */
const [home, draws] = [zipf(countries.length), new Random(1)];
const homes = Array.from({ length: visitors }, () => home.draw(draws));
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
  const visit = visitSource(linkIds.length, Random.new());
  return (start) => clickOf(visit(), linkIds, start);
}

/** Generates visits from addresses of the whole Internet, whose countries are looked up. */
export function createTraffic(linkIds: readonly string[]): (time: number) => RawClick {
  const random = Random.new();
  const [rank, site] = [zipf(linkIds.length), zipf(1000)];
  const byte = () => random.below(254) + 1;
  return (time) => ({
    link_id: linkIds[rank.draw(random)] as string,
    time,
    address: `${byte()}.${byte()}.${byte()}.${byte()}`,
    user_agent: random.pick(agents),
    referrer: random.chance(0.4) ? "" : siteOf(site.draw(random)),
    country: "",
    flags: 0,
    variant: -1,
  });
}
