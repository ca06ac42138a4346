import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Reader } from "maxmind";
import { expect, it } from "vitest";
import { openCountryData } from "../../../src/clicks/derive/country.ts";
import { dotted } from "../../../src/kernel/addresses.ts";

const name = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";
const file = readFileSync(fileURLToPath(import.meta.resolve(name)));

it("the country of an IPv4 address is what the library finds in the file", () => {
  const library = new Reader(file) as unknown as { get(address: string): { country_code: string } | null };
  const data = openCountryData(file);
  // Every 2^32 / 20,000th address, and the first and the last one.
  for (let at = 0; at <= 20_000; at++) {
    const bits = Math.min(Math.floor((at * 2 ** 32) / 20_000), 2 ** 32 - 1);
    expect(data.ofIPv4(bits), dotted(bits)).toBe(library.get(dotted(bits))?.country_code ?? null);
  }
});
