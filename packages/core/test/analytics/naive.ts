import { expect } from "vitest";
import type { RawClick } from "../../src/index.ts";

/** Analytics counted in the simplest way; local times come only from Intl. */

/** Random numbers from 0 to 1, reproducible by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const agents = [
  {
    user_agent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    stored: { device: "desktop", browser: "Chrome", os: "Windows" },
  },
  {
    user_agent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    stored: { device: "mobile", browser: "Safari", os: "iOS" },
  },
  { user_agent: "curl/8.5.0", stored: null },
] as const;

/** A click and what is expected to be stored of it. */
export interface ExpectedClick {
  raw: RawClick;
  account: string;
  link: string;
  time: number;
  isBot: boolean;
  /** Why it is a bot; null for a person */
  rule: string | null;
  country: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
  channel: string;
  variant: number;
  unique: boolean;
}

/** Marks each visitor's first click on a link and UTC day, in the order of counting. */
export function markUnique(clicks: readonly ExpectedClick[]): void {
  const seen = new Set<string>();
  for (const click of clicks) {
    const visitor = [
      click.link,
      new Date(click.time).toISOString().slice(0, 10),
      click.raw.address,
      click.raw.user_agent,
    ].join();
    click.unique = !click.isBot && !seen.has(visitor);
    if (!click.isBot) seen.add(visitor);
  }
}

/** Of each zone, how it writes dates, and those that it has written: the same clicks are counted in many ways. */
const calendars = new Map<string, { format: Intl.DateTimeFormat; dates: Map<number, string> }>();

/** The date in a zone, as YYYY-MM-DD. */
export function localDate(time: number, zone: string): string {
  let calendar = calendars.get(zone);
  if (!calendar) {
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    calendars.set(zone, (calendar = { format, dates: new Map() }));
  }
  const date = calendar.dates.get(time) ?? calendar.format.format(time);
  calendar.dates.set(time, date);
  return date;
}

const minute = (time: number, zone: string) =>
  Number(new Intl.DateTimeFormat("en", { timeZone: zone, minute: "numeric" }).format(time));

const shift = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
function shiftMonth(month: string, months: number): string {
  const [year = 0, of = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, of - 1 + months)).toISOString().slice(0, 7);
}

/** Labels of a window's rows and of the window before, oldest first; `nameOf` is the label of a time. */
export function rowsOf(period: string, zone: string, now: number, first: number | undefined) {
  if (period === "24h") {
    const start = Math.floor(now / 60_000) * 60_000 - minute(now, zone) * 60_000;
    const hours = Array.from({ length: 48 }, (_, at) => String(start - (47 - at) * 3_600_000));
    const nameOf = (time: number) => String(start + Math.floor((time - start) / 3_600_000) * 3_600_000);
    return { before: hours.slice(0, 24), rows: hours.slice(24), nameOf };
  }
  if (period.endsWith("d")) {
    const length = Number.parseInt(period, 10);
    const today = localDate(now, zone);
    const days = Array.from({ length: 2 * length }, (_, at) => shift(today, at - 2 * length + 1));
    return {
      before: days.slice(0, length),
      rows: days.slice(length),
      nameOf: (time: number) => localDate(time, zone),
    };
  }
  const nameOf = (time: number) => localDate(time, zone).slice(0, 7);
  const last = nameOf(now);
  let length = 12;
  if (period === "all") {
    length = 1;
    while (first !== undefined && shiftMonth(last, 1 - length) > nameOf(first)) length++;
  }
  const months = Array.from({ length: 2 * length }, (_, at) => shiftMonth(last, at - 2 * length + 1));
  return { before: months.slice(0, length), rows: months.slice(length), nameOf };
}

const people = (clicks: readonly ExpectedClick[]) => clicks.filter(({ isBot }) => !isBot);
const totals = (clicks: readonly ExpectedClick[]) => ({
  clicks: people(clicks).length,
  visitors: clicks.filter(({ unique }) => unique).length,
});

/** Most clicks first, ties by name. */
export function listOf(name: string, values: readonly string[]) {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([value, clicks]) => ({ [name]: value, clicks }));
}

/** The figures of some clicks, in the shape of the API. */
export function count(clicks: readonly ExpectedClick[], period: string, zone: string, now: number) {
  const times = people(clicks).map(({ time }) => time);
  const { rows, before, nameOf } = rowsOf(
    period,
    zone,
    now,
    times.length > 0 ? Math.min(...times) : undefined,
  );
  const inWindow = clicks.filter(({ time }) => rows.includes(nameOf(time)));
  const previous = totals(clicks.filter(({ time }) => before.includes(nameOf(time))));
  const total = totals(inWindow);
  const ratio = (some: number, then: number) => (then === 0 ? null : (some - then) / then);
  const known = people(inWindow);
  const list = (name: "country" | "device" | "browser" | "os" | "referrer" | "channel") =>
    listOf(
      name,
      known.map((click) => click[name]),
    );
  return {
    inWindow: known,
    variants: [0, 1].map((variant) => known.filter((click) => click.variant === variant).length),
    report: {
      ...total,
      bots: inWindow.length - known.length,
      bots_by: listOf(
        "rule",
        inWindow.flatMap(({ rule }) => rule ?? []),
      ).map((row) => ({ bot: "tool", ...row })),
      previous: expect.objectContaining(previous) as unknown,
      change: {
        clicks: ratio(total.clicks, previous.clicks),
        visitors: ratio(total.visitors, previous.visitors),
      },
      rows: rows.map((row) => totals(clicks.filter(({ time }) => nameOf(time) === row))),
      countries: list("country"),
      devices: list("device"),
      browsers: list("browser"),
      os: list("os"),
      referrers: list("referrer"),
      channels: list("channel"),
      top_links: listOf(
        "id",
        known.map(({ link }) => link),
      ),
    },
  };
}
