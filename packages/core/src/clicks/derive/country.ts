import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { type CountryResponse, Reader } from "maxmind";
import { dotted, isPublic, parseAddress } from "../../kernel/addresses.ts";
import { isCountry } from "./countries.ts";

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
 * The visitor's country, ISO 3166-1 alpha-2 in upper case (or XK): the one in `header`, from a trusted proxy, if that is a
 * country; otherwise the country that `address` is registered in. Null if unknown, such as for private addresses.
 */
export function countryOf(header: string, address: string): string | null {
  return (header && countryIn(header)) || countryAt(address);
}

function countryAt(text: string): string | null {
  const address = parseAddress(text);
  // The data lists countries for some private and documentation addresses too.
  if (address === null || !isPublic(address)) return null;
  data ??= load();
  return typeof address === "number" ? data.ofIPv4(address) : data.ofText(text);
}

/** Proxies also send XX or ZZ (unknown), T1 (Tor), A1 (anonymous), EU or AP (a region): not countries. */
export function countryIn(header: string): string | null {
  const code = header.trim();
  return isCountry(code) ? code.toUpperCase() : null;
}

/** The rows are flat; the library's types describe MaxMind's own files only. */
type Row = { readonly country_code: string } & CountryResponse;

/** Countries of addresses; null for an address that the data does not know. */
export interface CountryData {
  /** `bits` as `parseAddress` returns them */
  ofIPv4(bits: number): string | null;
  /** The address in any spelling without a zone */
  ofText(address: string): string | null;
}

/**
 * Opens a file of the registries' data. The library reads an address from text, which takes longer than to look for it: here the
 * tree of IPv4 addresses is walked directly, and the library is asked once for each of the few hundred rows that it leads to.
 */
export function openCountryData(file: Buffer): CountryData {
  const reader = new Reader<Row>(file, { cache: new Map() });
  const { nodeCount, nodeByteSize, recordSize, ipVersion } = reader.metadata;
  const ofText = (address: string) => reader.get(address)?.country_code ?? null;
  if (recordSize !== 24) return { ofText, ofIPv4: (bits) => ofText(dotted(bits)) };

  /** What follows a node for a bit: another node, `nodeCount` for nothing, or more for a row */
  const childOf = (node: number, bit: number) => {
    const offset = node * nodeByteSize + bit * 3;
    return (
      ((file[offset] as number) << 16) | ((file[offset + 1] as number) << 8) | (file[offset + 2] as number)
    );
  };
  let first = 0;
  // In a tree of IPv6 addresses, those of IPv4 are at its start.
  for (let depth = 0; ipVersion === 6 && depth < 96 && first < nodeCount; depth++) first = childOf(first, 0);
  const countries = new Map<number, string | null>();
  return {
    ofText,
    ofIPv4(bits) {
      let node = first;
      for (let shift = 31; shift >= 0 && node < nodeCount; shift--)
        node = childOf(node, (bits >>> shift) & 1);
      let country = countries.get(node);
      if (country === undefined) countries.set(node, (country = ofText(dotted(bits))));
      return country;
    },
  };
}
