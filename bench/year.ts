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

const visitors = 200_000;
const dayMs = 86_400_000;

/** Generates visits of the 24 hours from `start`: most around the middle, about half without a referrer. */
export function createVisits(linkIds: readonly string[]): (start: number) => RawClick {
  const link = zipf(linkIds.length);
  const country = zipf(countries.length);
  const bigSite = zipf(bigSites.length);
  const smallSite = zipf(smallSites);
  const homes = Array.from({ length: visitors }, country);
  const referrer = () => {
    const draw = Math.random();
    if (draw < 0.45) return "";
    return draw < 0.9 ? (bigSites[bigSite()] as string) : `https://blog-${smallSite()}.example/`;
  };
  return (start) => {
    const visitor = Math.floor(Math.random() * visitors);
    return {
      link_id: linkIds[link()] as string,
      time: start + Math.floor(((Math.random() + Math.random() + Math.random()) / 3) * dayMs),
      address: `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
      user_agent: agents[visitor % agents.length] as string,
      referrer: referrer(),
      country: countries[homes[visitor] as number] as string,
      flags: 0,
      variant: -1,
    };
  };
}
