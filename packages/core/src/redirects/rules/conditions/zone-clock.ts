import { createMemo } from "../../../kernel/memo.ts";

/** The wall clock of a time zone. */
export interface WallClock {
  /** 0 for Monday */
  weekday: number;
  /** Minutes since midnight, as clocks show them */
  minute: number;
}

/** A format takes 60 KB, and a while to make. */
const formats = createMemo(
  (zone) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }),
  64,
);

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** What the clock of each zone showed last. Zones are spelt in lower case, so there are a few hundred. */
const latest = new Map<string, WallClock & { at: number }>();

/** Names that were found to be zones, in lower case. */
const zones = new Set<string>();

/** True for the name of a zone in the IANA database, in any case. An offset such as +05:30 is none. */
export function isZone(text: string): boolean {
  const key = text.toLowerCase();
  if (zones.has(key)) return true;
  if (!/^[a-z][\w+/-]{0,63}$/.test(key)) return false;
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: text }).format();
    zones.add(key);
    return true;
  } catch {
    return false;
  }
}

/** What clocks in a zone show at a time, in milliseconds since the epoch. Formatting takes long, so it is done once a minute. */
export function wallClockIn(zone: string, time: number): WallClock {
  const key = zone.toLowerCase();
  const at = Math.floor(time / 60_000);
  const known = latest.get(key);
  if (known?.at === at) return known;
  const text = formats.get(key).format(time); // Mon 09:30
  const clock = {
    at,
    weekday: weekdays.indexOf(text.slice(0, 3)),
    minute: Number(text.slice(4, 6)) * 60 + Number(text.slice(7)),
  };
  latest.set(key, clock);
  return clock;
}
