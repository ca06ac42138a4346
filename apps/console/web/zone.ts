const key = "terse.zone";

/** The time zone of this device, an IANA name. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone chosen in this browser, in the settings or for a report; null for the device's. */
export function chosenZone(): string | null {
  const zone = localStorage.getItem(key);
  try {
    return zone && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null; // a name that this browser does not know
  }
}

/** The time zone that reports begin with, an IANA name. */
export const storedZone = (): string => chosenZone() ?? deviceZone;

/** Keeps a time zone for later visits. */
export const storeZone = (zone: string): void =>
  zone === deviceZone ? localStorage.removeItem(key) : localStorage.setItem(key, zone);

/** All time zones that the browser knows, and UTC. */
export const zones = (): string[] => [...new Set([deviceZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];

/** The moment at which the clocks of a zone show a time (YYYY-MM-DDTHH:mm), as ISO 8601 in UTC. */
export function momentIn(timeZone: string, local: string): string {
  const shown = Date.parse(`${local}Z`);
  const clock = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const offsetAt = (time: number) => {
    const second = Math.floor(time / 1000) * 1000;
    return Date.parse(`${clock.format(second).replace(" ", "T")}Z`) - second;
  };
  // The first guess may be on the other side of a change of the clocks.
  return new Date(shown - offsetAt(shown - offsetAt(shown))).toISOString();
}
