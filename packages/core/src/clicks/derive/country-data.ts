import { type CountryResponse, Reader } from "maxmind";
import { dotted } from "../../kernel/addresses.ts";

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
  const next = (node: number, bit: number) => {
    const at = node * nodeByteSize + bit * 3;
    return ((file[at] as number) << 16) | ((file[at + 1] as number) << 8) | (file[at + 2] as number);
  };
  let first = 0;
  // In a tree of IPv6 addresses, those of IPv4 are at its start.
  for (let depth = 0; ipVersion === 6 && depth < 96 && first < nodeCount; depth++) first = next(first, 0);
  const countries = new Map<number, string | null>();
  return {
    ofText,
    ofIPv4(bits) {
      let node = first;
      for (let shift = 31; shift >= 0 && node < nodeCount; shift--) node = next(node, (bits >>> shift) & 1);
      let country = countries.get(node);
      if (country === undefined) countries.set(node, (country = ofText(dotted(bits))));
      return country;
    },
  };
}
