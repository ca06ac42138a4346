import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type CountryResponse, Reader } from "maxmind";
import { dotted, isPublic, parseAddress } from "../../kernel/addresses.ts";

/** CC0 data of the five registries (https://github.com/sapics/ip-location-db), IPv4 and IPv6 in a file of 8 MB. */
const dataFile = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** The rows are flat; the library's types describe MaxMind's own files only. */
type Row = { readonly country_code: string } & CountryResponse;

let data: Reader<Row> | undefined;

/** Reads the data, on the first look-up of a process. The cache holds about two hundred countries. */
function load(): Reader<Row> {
  const path = createRequire(import.meta.url).resolve(dataFile);
  return new Reader<Row>(readFileSync(path), { cache: new Map() });
}

/** True for a country code, in upper or lower case. */
export const isCountry = (text: string): boolean =>
  /^[A-Z]{2}$/i.test(text) && countries.has(text.toUpperCase());

/**
 * The visitor's country, ISO 3166-1 alpha-2 in upper case (or XK): `named`, from a trusted proxy's header, if that is a
 * country; otherwise the country that `address` is registered in. Null if unknown, such as for private addresses.
 */
export function countryOf(named: string, address: string): string | null {
  return (named && namedCountry(named)) || countryAt(address);
}

function countryAt(text: string): string | null {
  const address = parseAddress(text);
  // The data lists countries for some private and documentation addresses too.
  if (address === null || !isPublic(address)) return null;
  const plain = typeof address === "number" ? dotted(address) : text;
  data ??= load();
  return data.get(plain)?.country_code ?? null;
}

/** Proxies also send XX or ZZ (unknown), T1 (Tor), A1 (anonymous), EU or AP (a region): not countries. */
function namedCountry(named: string): string | null {
  const code = named.trim();
  return isCountry(code) ? code.toUpperCase() : null;
}

/** ISO 3166-1, and XK for Kosovo, which has no code there. */
const countries = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
  CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
  GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
  KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
  MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
  SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
  UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/),
);
