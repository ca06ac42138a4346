import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { type CountryResponse, Reader } from "maxmind";
import { dotted, isPublic, parseAddress } from "../../kernel/addresses.ts";
import { isCountry } from "./countries.ts";

/** CC0 data of the five registries (https://github.com/sapics/ip-location-db), IPv4 and IPv6 in a file of 8 MB. */
const dataFile = () =>
  fileURLToPath(import.meta.resolve("@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb"));

/** The rows are flat; the library's types describe MaxMind's own files only. */
type Row = { readonly country_code: string } & CountryResponse;

let data: Reader<Row> | undefined;

/** Reads the data, which a build compresses, on the first look-up of a process. The cache holds about two hundred countries. */
function load(): Reader<Row> {
  const file = dataFile();
  const bytes = readFileSync(file);
  return new Reader<Row>(file.endsWith(".br") ? brotliDecompressSync(bytes) : bytes, { cache: new Map() });
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
  const plain = typeof address === "number" ? dotted(address) : text;
  data ??= load();
  return data.get(plain)?.country_code ?? null;
}

/** Proxies also send XX or ZZ (unknown), T1 (Tor), A1 (anonymous), EU or AP (a region): not countries. */
export function namedCountry(named: string): string | null {
  const code = named.trim();
  return isCountry(code) ? code.toUpperCase() : null;
}
