import { readFile } from "node:fs/promises";
import { type CityResponse, Reader } from "maxmind";
import { RecentMap } from "../../kernel/memo.ts";
import { tidy } from "./campaign.ts";
import { isCountry } from "./countries.ts";

/** A town and its region, "" for what is not known. */
export interface Place {
  /**
   * The largest part of its country: the code of ISO 3166-2, such as DE-BY; if the data has none, its English name before the
   * country's code, such as "Bavaria, DE"
   */
  readonly region: string;
  /** Its English name before the smallest part of the country that is known, such as "Munich, DE-BY" */
  readonly city: string;
}

/** Where an address is. */
export interface Location {
  /** ISO 3166-1 alpha-2, or XK */
  readonly country: string;
  /** Null if only the country is known */
  readonly place: Place | null;
}

/** A database of addresses in MaxMind's format, in memory. */
export type GeoFile = Awaited<ReturnType<typeof readGeoFile>>;

/** A file that is not such a database. */
export class BrokenGeoFile extends Error {
  readonly code = "BROKEN_GEO_FILE";
}

/** Reads a database. Throws if the file is unreadable or not such a database. */
export async function readGeoFile(path: string, signal?: AbortSignal) {
  const bytes = await readFile(path, { signal });
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw new BrokenGeoFile("it is compressed: unpack it first");
  const reader = open(bytes);
  const { databaseType: type, buildEpoch, ipVersion } = reader.metadata;
  /** By record, which the reader caches */
  const locations = new WeakMap<CityResponse, { location: Location | null }>();
  return {
    /** Its own name, such as GeoLite2-City */
    type,
    /** When it was made; YYYY-MM-DD */
    built: buildEpoch.toISOString().slice(0, 10),
    bytes: bytes.length,
    /** Null if it does not know the address. Throws if its data is damaged. */
    locate(address: string): Location | null {
      // The reader would take the first 32 bits.
      if (ipVersion === 4 && address.includes(":")) return null;
      const record = reader.get(address);
      if (record === null || typeof record !== "object") return null;
      let known = locations.get(record);
      if (known === undefined) locations.set(record, (known = { location: locationIn(record) }));
      return known.location;
    },
  };
}

function open(bytes: Buffer): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(bytes, { cache: new RecentMap(maxCached) });
    const { nodeCount, searchTreeSize, databaseType, ipVersion } = reader.metadata;
    const isWhole = nodeCount > 0 && searchTreeSize < bytes.length && (ipVersion === 4 || ipVersion === 6);
    if (!isWhole || typeof databaseType !== "string") throw new TypeError("its description is damaged");
    // Fails if what the tree leads to cannot be read.
    reader.get("8.8.8.8");
    return reader;
  } catch (cause) {
    throw new BrokenGeoFile("it is not a whole database in MaxMind's format", { cause });
  }
}

/** Values of a file that are kept decoded, of which most are names: some 10 MB. Decoding one takes as long as five look-ups. */
const maxCached = 65_536;

/** The possible contents of a record: files differ, and an operator's own may contain anything. */
interface Named {
  readonly iso_code?: unknown;
  readonly names?: { readonly en?: unknown } | null;
}
interface Found {
  readonly country?: Named | null;
  readonly registered_country?: Named | null;
  readonly subdivisions?: readonly (Named | null)[] | null;
  readonly city?: Named | null;
}

const maxName = 100;

function locationIn({ country, registered_country, subdivisions, city }: Found): Location | null {
  const code = [country?.iso_code, registered_country?.iso_code].find(
    (text): text is string => typeof text === "string" && isCountry(text),
  );
  if (code === undefined) return null;
  const inCountry = code.toUpperCase();
  const parts: readonly (Named | null)[] = Array.isArray(subdivisions) ? subdivisions : [];
  const regions = parts
    .map((part) => {
      const iso = part?.iso_code;
      if (typeof iso === "string" && /^[A-Z\d]{1,3}$/.test(iso)) return `${inCountry}-${iso}`;
      const name = nameOf(part);
      return name && `${name}, ${inCountry}`;
    })
    .filter((region) => region !== "");
  const name = nameOf(city);
  const place = {
    region: regions[0] ?? "",
    city: name && `${name}, ${regions.at(-1) ?? inCountry}`,
  };
  return { country: inCountry, place: place.region || place.city ? place : null };
}

function nameOf(named: Named | null | undefined): string {
  const name = named?.names?.en;
  return typeof name === "string" ? tidy(name, maxName) : "";
}
