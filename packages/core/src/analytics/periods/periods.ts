import { issue } from "../../kernel/issues.ts";
import { Temporal } from "temporal-polyfill";
import { dayMs, hourMs, quarterHourMs } from "../../kernel/time.ts";
import type { Granularity, Period, TimeRange, Window } from "../question.ts";
import { AppError, refusal } from "../../kernel/errors.ts";
import type { Question } from "../analytics.input.ts";

/** Windows of time, in hours, days, weeks or months of a time zone. All times in milliseconds since the epoch. */

const shapes: Record<Exclude<Period, "all">, { granularity: "hour" | "day" | "month"; rows: number }> = {
  "24h": { granularity: "hour", rows: 24 },
  "7d": { granularity: "day", rows: 7 },
  "30d": { granularity: "day", rows: 30 },
  "90d": { granularity: "day", rows: 90 },
  "1y": { granularity: "month", rows: 12 },
};

/**
 * Returns the window that ends with the current hour, day or month of the zone. `all` begins with the month of `first`,
 * the first click, or with the current month if there is none.
 */
export function windowOf(period: Period, zone: string, now: number, first: number | null = null): Window {
  if (period === "all") {
    const month = at(Math.min(first ?? now, now), zone)
      .toPlainDate()
      .with({ day: 1 });
    return withRows({ from: startOf(month, zone), to: nextStart(now, "month", zone) }, zone, "month");
  }
  const { granularity, rows } = shapes[period];
  return rowsBefore(nextStart(now, granularity, zone), granularity, zone, rows);
}

/** Returns the window with as many rows that ends where this one begins. */
export const windowBefore = ({ granularity, from, starts }: Window, zone: string): Window =>
  rowsBefore(from, granularity, zone, starts.length);

/** The window of some hours of equal length, or days, weeks or months of the zone, of which the last one ends at `to`. */
function rowsBefore(to: number, granularity: Granularity, zone: string, count: number): Window {
  const end = at(to, zone).toPlainDate();
  const starts: number[] = [];
  for (let back = 1; starts.length < count; back++) {
    const start =
      granularity === "hour"
        ? to - back * hourMs
        : startOf(end.subtract({ [`${granularity}s`]: back }), zone);
    // Samoa skipped 30 December 2011.
    if (start < (starts[0] ?? to)) starts.unshift(start);
  }
  return { granularity, from: starts[0] as number, to, starts };
}

/**
 * The start of a date in the zone; of a time with an offset, the quarter of an hour that it is in. Both as ISO 8601, with any number
 * of decimals, which `Date` reads, unlike Temporal.
 */
export const startAt = (text: string, zone: string): number =>
  isDate(text)
    ? startOf(Temporal.PlainDate.from(text), zone)
    : Math.floor(Date.parse(text) / quarterHourMs) * quarterHourMs;

/** The end of a date in the zone; of a time with an offset, the end of its quarter of an hour. */
export const endAt = (text: string, zone: string): number =>
  isDate(text)
    ? startOf(Temporal.PlainDate.from(text).add({ days: 1 }), zone)
    : Math.ceil(Date.parse(text) / quarterHourMs) * quarterHourMs;

/** A time as it was given; a date is where its window begins or ends. */
const momentOf = (text: string, rounded: number): number => (isDate(text) ? rounded : Date.parse(text));

const isDate = (text: string) => text.length === "YYYY-MM-DD".length;

const granularityFor = (length: number): Granularity =>
  length <= 2 * dayMs ? "hour" : length <= 100 * dayMs ? "day" : "month";

/** Rows that a window may have. */
const maxRows = 1000;

/**
 * A window from one time to another, with rows of a length that suits it, if none is given. The first begins with the window, and
 * all others with an hour, a day, a Monday or a month. At most one row more than `maxRows` is made.
 */
export function withRows(
  { from, to }: TimeRange,
  zone: string,
  granularity = granularityFor(to - from),
): Window {
  const starts: number[] = [];
  for (let start = from; start < to && starts.length <= maxRows; start = nextStart(start, granularity, zone))
    starts.push(start);
  return { granularity, from, to, starts };
}

function nextStart(time: number, granularity: Granularity, zone: string): number {
  const here = at(time, zone);
  if (granularity === "hour")
    return time + hourMs - (here.minute * 60 + here.second) * 1000 - here.millisecond;
  const date = here.toPlainDate();
  const next = {
    day: () => date.add({ days: 1 }),
    week: () => date.add({ days: 8 - date.dayOfWeek }),
    month: () => date.with({ day: 1 }).add({ months: 1 }),
  }[granularity]();
  return startOf(next, zone);
}

/** The window before one of any length: as many days if it consists of whole days, otherwise equally long. */
export function equalWindowBefore({ granularity, from, to }: Window, zone: string): Window {
  const [first, last] = [at(from, zone).toPlainDate(), at(to, zone).toPlainDate()];
  const isWhole = startOf(first, zone) === from && startOf(last, zone) === to;
  const start = isWhole ? startOf(first.subtract(first.until(last)), zone) : from - (to - from);
  return { granularity, from: start, to: from, starts: [start] };
}

/**
 * The days from one to another, both included, as YYYY-MM-DD, and when each begins in the zone; the last bound is the end of the
 * last day. A day that the zone skipped begins as the next.
 */
export function daysBetween(from: string, to: string, zone: string): { dates: string[]; bounds: number[] } {
  const first = Temporal.PlainDate.from(from);
  const count = Math.max(0, first.until(to).days + 1);
  const days = Array.from({ length: count + 1 }, (_, at) => first.add({ days: at }));
  return { dates: days.slice(0, -1).map(String), bounds: days.map((day) => startOf(day, zone)) };
}

/** The day of a time in a zone, as YYYY-MM-DD. */
export const dateAt = (time: number, zone: string): string => at(time, zone).toPlainDate().toString();

const at = (time: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);

/** The first moment of a day, which is not midnight everywhere. */
const startOf = (date: Temporal.PlainDate, zone: string) => date.toZonedDateTime(zone).epochMilliseconds;

/**
 * The window of a question, and the one to compare it with: null if there is none to compare, or if clicks before this window are
 * left out. Throws a 400 if the window is empty or has too many rows. `first` is the account's or link's first click; the period
 * `all` does not begin before `since`.
 */
export function windowsOf(
  { span, granularity, tz, compare = false }: WindowQuestion,
  now: number,
  first: number | null = null,
  since: number | null = null,
): { window: Window; before: Window | null } {
  if ("period" in span) {
    const whole = windowOf(span.period, tz, now, first);
    const from = span.period === "all" ? Math.max(whole.from, since ?? whole.from) : whole.from;
    const isWhole = granularity === undefined && from === whole.from;
    const window = isWhole
      ? whole
      : requireFewRows(withRows({ from, to: whole.to }, tz, granularity ?? whole.granularity));
    return { window, before: compare && from === whole.from ? windowBefore(whole, tz) : null };
  }
  const end = span.to ?? new Date(now).toISOString();
  const from = startAt(span.from, tz);
  const to = endAt(end, tz);
  // Times within a quarter of an hour are rounded to the same one, in whichever order they come.
  if (to <= from || momentOf(span.from, from) > momentOf(end, to)) {
    throw new AppError(
      "BAD_REQUEST",
      span.to === undefined
        ? issue("from", "too_late", "must be before now", { than: "now" })
        : issue("to", "too_early", "must be after from", { than: "from" }),
    );
  }
  const window = requireFewRows(withRows({ from, to }, tz, granularity));
  return { window, before: compare ? equalWindowBefore(window, tz) : null };
}

type WindowQuestion = Pick<Question, "span" | "tz"> & Partial<Pick<Question, "granularity" | "compare">>;

function requireFewRows(window: Window): Window {
  if (window.starts.length <= maxRows) return window;
  const { granularity } = window;
  const choice = granularity === "month" ? "a shorter window" : "a longer one or a shorter window";
  const message = `${granularity} would give more than ${maxRows} rows; choose ${choice}`;
  const params = { max: maxRows, unit: "rows", granularity };
  throw refusal("BAD_REQUEST", "granularity", "too_many", message, params);
}
