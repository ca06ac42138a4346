import { dotted, parseAddress } from "../../kernel/addresses.ts";
import { watchFile } from "../../kernel/async/watched-file.ts";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import { countryOf, countryIn } from "./country.ts";
import { BrokenGeoFile, type GeoFile, type Location, readGeoFile } from "./geo-file.ts";

/** Where a visitor is. The country is null if unknown, such as for private addresses; the place always without a database. */
type Whereabouts = Pick<Location, "place"> & { country: string | null };

interface LocatorOptions {
  /** The operator's database; null for none */
  path: string | null;
  onEvent: (event: CoreEvent) => void;
  /** Milliseconds between two looks at the file; default 2000 */
  pollMs?: number;
}

export type Locator = ReturnType<typeof createLocator>;

/** Finds out where visitors are, by a database of the operator if there is one. Redirects and the counting of clicks ask the same. */
export function createLocator({ path, onEvent, pollMs = 2000 }: LocatorOptions) {
  let own: GeoFile | null = null;
  const file =
    path === null
      ? null
      : watchFile({
          path,
          pollMs,
          read: (signal) => readGeoFile(path, signal),
          isBroken: (error) => error instanceof BrokenGeoFile,
          use(next) {
            own = next;
            const { type, built, bytes } = next;
            onEvent(coreEvent("geo_database_read", { file: path, type, built, bytes }));
          },
          onFailure: (err) =>
            onEvent(coreEvent("geo_database_failing", { file: path, built: own?.built ?? null, err })),
          onRecovery: () => onEvent(coreEvent("geo_database_restored", { file: path })),
        });

  /** A damaged record must not keep its visitor's click from being counted. */
  function locateIn(database: GeoFile, text: string) {
    const address = parseAddress(text);
    if (address === null) return null;
    try {
      return database.locate(typeof address === "number" ? dotted(address) : text);
    } catch {
      return null;
    }
  }

  /** `header` is the one in which a trusted proxy names the country, "" for none; a country in it overrides the address. */
  function locate(header: string, text: string): Whereabouts {
    const found = own && locateIn(own, text);
    if (found === null) return { country: countryOf(header, text), place: null };
    const country = header === "" ? null : countryIn(header);
    // The proxy knows better: an address may belong to a network in several countries.
    const isElsewhere = country !== null && country !== found.country;
    return { country: country ?? found.country, place: isElsewhere ? null : found.place };
  }

  return {
    locate,
    countryOf: (header: string, address: string) => locate(header, address).country,
    /** Reads the operator's database, then again whenever it changes. Resolves once it was read or found unreadable. */
    start: async (): Promise<void> => file?.start(),
    close: async (): Promise<void> => file?.close(),
  };
}

/** Knows the countries of the data that Terse comes with. */
export const plainLocator = createLocator({ path: null, onEvent: () => {} });
