const key = "terse.zone";

/** The time zone of this device, an IANA name. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone chosen in this browser; null for the device's. */
export function storedZone(): string | null {
  const zone = localStorage.getItem(key);
  try {
    return zone && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null; // a name that this browser does not know
  }
}

export function storeZone(zone: string | null): void {
  if (zone === null) localStorage.removeItem(key);
  else localStorage.setItem(key, zone);
  location.reload();
}
