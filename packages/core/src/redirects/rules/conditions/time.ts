import * as z from "zod";
import { createMemo } from "../../../kernel/memo.ts";
import { fieldsOf, notZone, oneOf, timeInput } from "../../../kernel/validation/inputs.ts";
import { textLike, timestamp } from "../../../kernel/validation/strings.ts";
import { defineCondition, listOf } from "./condition.ts";

/** The schemas of a time, and what it means. */
const timeFields = (description: string, example: string) => ({
  description,
  input: timeInput(description, example).transform((time) => time.toISOString()),
  output: timestamp,
});

export const after = defineCondition({
  name: "after",
  ...timeFields("From this time on", "2026-12-01T00:00:00Z"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now >= time;
  },
  whyNot: (text) => `it is before ${text}`,
});

export const before = defineCondition({
  name: "before",
  ...timeFields("Until this time", "2027-01-01T00:00:00Z"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now < time;
  },
  whyNot: (text) => `it is ${text} or later`,
});

export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const meanings = {
  tz: "IANA time zone",
  days: "Days on which the hours begin",
  from: "HH:MM",
  to: "HH:MM, on the next day if not later than `from`",
};

const clockInput = (description: string, example: string) =>
  textLike(
    /^(?:[01]\d|2[0-3]):[0-5]\d$/,
    "time_of_day",
    "must be a time of day from 00:00 to 23:59, such as 09:00",
    "09:00",
  ).meta({ description, examples: [example] });

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/**
 * Hours that recur each week, by the clocks of a time zone. They belong to the day on which they begin: if they end at
 * or before the time at which they begin, they end on the next day.
 */
export const weekly = defineCondition({
  name: "weekly",
  description: "Hours of the week",
  input: fieldsOf({
    tz: z
      .string()
      .refine(isZone, notZone)
      .meta({ description: meanings.tz, examples: ["Europe/Berlin"] }),
    days: listOf(oneOf(days), 7).describe(meanings.days),
    from: clockInput(meanings.from, "09:00"),
    to: clockInput(meanings.to, "17:00"),
  }),
  output: z.object({
    tz: z.string().describe(meanings.tz),
    days: z.array(z.enum(days)).describe(meanings.days),
    from: z.string().describe(meanings.from),
    to: z.string().describe(meanings.to),
  }),
  compile(hours) {
    const onDay = days.map((day) => hours.days.includes(day));
    const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
    return (facts) => {
      const { weekday, minute } = wallClockIn(hours.tz, facts.now);
      const today = onDay[weekday] === true;
      if (to > from) return today && minute >= from && minute < to;
      return (today && minute >= from) || (onDay[(weekday + 6) % 7] === true && minute < to);
    };
  },
  whyNot({ tz }, facts) {
    const { weekday, minute } = wallClockIn(tz, facts.now);
    const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0"));
    return `it is ${names[weekday]}, ${clock.join(":")} in ${tz}`;
  },
});

const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The wall clock of a time zone. */
interface WallClock {
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

/** What the clock of each zone showed last. Zones are spelt in lower case, so there are a few hundred. */
const latest = new Map<string, WallClock & { at: number }>();

/** Names that were found to be zones, in lower case. */
const zones = new Set<string>();

/** True for the name of a zone in the IANA database, in any case. An offset such as +05:30 is not one. */
function isZone(text: string): boolean {
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
function wallClockIn(zone: string, time: number): WallClock {
  const key = zone.toLowerCase();
  const at = Math.floor(time / 60_000);
  const known = latest.get(key);
  if (known?.at === at) return known;
  const text = formats.get(key).format(time); // Mon 09:30
  const clock = {
    at,
    weekday: names.findIndex((name) => name.startsWith(text.slice(0, 3))),
    minute: Number(text.slice(4, 6)) * 60 + Number(text.slice(7)),
  };
  latest.set(key, clock);
  return clock;
}
