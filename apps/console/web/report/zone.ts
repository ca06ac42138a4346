import { viewerZone } from "../format.ts";

const key = "terse.zone";

/** The time zone that a person chose for reports on this browser; the browser's own if there is none. */
export const storedZone = (): string => localStorage.getItem(key) ?? viewerZone;

/** Keeps a time zone for later visits. */
export const storeZone = (zone: string): void =>
  zone === viewerZone ? localStorage.removeItem(key) : localStorage.setItem(key, zone);

/** All time zones that the browser knows, and UTC. */
export const zones = (): string[] => [...new Set([viewerZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
