const key = "terse.zone";

/** The time zone of this device, an IANA name. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone chosen in this browser, in the settings or for a report, else the device's. */
export function storedZone(): string {
  const zone = localStorage.getItem(key);
  try {
    if (zone) return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // a name that this browser does not know
  }
  return deviceZone;
}

/** Keeps a time zone for later visits. */
export const storeZone = (zone: string): void =>
  zone === deviceZone ? localStorage.removeItem(key) : localStorage.setItem(key, zone);

/** All time zones that the browser knows, UTC, and the one that is chosen. */
export const zones = (chosen: string): string[] => [
  ...new Set([deviceZone, chosen, "UTC", ...Intl.supportedValuesOf("timeZone")]),
];

/** What the clocks of a zone show at a moment (ISO 8601, or milliseconds since the epoch), as YYYY-MM-DDTHH:mm:ss. */
function clockIn(timeZone: string, moment: string | number): string {
  const clock = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  // Years before 1000, which a year is while it is typed, have fewer digits.
  return clock
    .format(new Date(moment))
    .replace(" ", "T")
    .replace(/^\d+/, (year) => year.padStart(4, "0"));
}

/** The same without seconds. */
export const localIn = (timeZone: string, moment: string): string => clockIn(timeZone, moment).slice(0, 16);

/** The moment at which the clocks of a zone show a time (YYYY-MM-DDTHH:mm), as ISO 8601 in UTC. */
export function momentIn(timeZone: string, local: string): string {
  const shown = Date.parse(`${local}Z`);
  const offsetAt = (time: number) => {
    const second = Math.floor(time / 1000) * 1000;
    return Date.parse(`${clockIn(timeZone, second)}Z`) - second;
  };
  // The first guess may be on the other side of a change of the clocks.
  return new Date(shown - offsetAt(shown - offsetAt(shown))).toISOString();
}
