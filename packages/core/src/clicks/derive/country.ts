import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { isPublic, parseAddress } from "../../kernel/addresses.ts";
import { isCountry } from "./countries.ts";
import { type CountryData, openCountryData } from "./country-data.ts";

/** CC0 data of the five registries (https://github.com/sapics/ip-location-db), IPv4 and IPv6 in a file of 8 MB. */
const dataFile = () =>
  fileURLToPath(import.meta.resolve("@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb"));

let data: CountryData | undefined;

/** Reads the data, which a build compresses, on the first look-up of a process. */
function load(): CountryData {
  const file = dataFile();
  const bytes = readFileSync(file);
  return openCountryData(file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes);
}

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
  data ??= load();
  return typeof address === "number" ? data.ofIPv4(address) : data.ofText(text);
}

/** Proxies also send XX or ZZ (unknown), T1 (Tor), A1 (anonymous), EU or AP (a region): not countries. */
export function namedCountry(named: string): string | null {
  const code = named.trim();
  return isCountry(code) ? code.toUpperCase() : null;
}
