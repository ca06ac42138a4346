import { describe, expect, it } from "vitest";
import {
  daysBetween,
  endAt,
  equalWindowBefore,
  startAt,
  windowBefore,
  windowOf,
  withRows,
} from "../../src/analytics/periods/periods.ts";
import { granularities, type Window } from "../../src/analytics/question.ts";
import { timeZoneName } from "../../src/analytics/analytics.input.ts";

const at = (text: string) => Date.parse(text);
const hours = ({ starts, to }: Window) =>
  starts.map((start, row) => ((starts[row + 1] ?? to) - start) / 3_600_000);
const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString());
const ends = ({ from, to }: Window) => iso([from, to]);

const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Los_Angeles",
  "America/St_Johns",
  "America/Santiago",
  "America/Havana",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
];

describe("every window", () => {
  it.each(zones)(
    "has rows without gaps that start on quarter hours, and now is in the last one: %s",
    (zone) => {
      for (let now = at("2026-01-01T00:07:00Z"); now < at("2027-01-01T00:00:00Z"); now += 3_600_000 * 197.3) {
        for (const period of periods) {
          const window = windowOf(period, zone, now, at("2025-02-03T04:05:06Z"));
          const bounds = [...window.starts, window.to];
          expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
          expect(new Set(bounds).size).toBe(bounds.length);
          expect(bounds.filter((bound) => bound % 900_000 !== 0)).toEqual([]);
          expect(window.from).toBe(window.starts[0]);
          expect(window.starts.at(-1)).toBeLessThanOrEqual(now);
          expect(window.to).toBeGreaterThan(now);
          expect(window.starts.length).toBe(
            { "24h": 24, "7d": 7, "30d": 30, "90d": 90, "1y": 12, all: window.starts.length }[period],
          );
          const before = windowBefore(window, zone);
          expect([before.to, before.starts.length, before.granularity]).toEqual([
            window.from,
            window.starts.length,
            window.granularity,
          ]);
        }
      }
    },
  );

  it.each(zones)("starts its days when the local date changes: %s", (zone) => {
    const clock = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    for (const now of ["2026-04-10T12:00:00Z", "2026-06-01T00:00:00Z", "2026-11-21T23:59:59Z"]) {
      for (const period of ["90d", "1y"] as const) {
        const { starts, to } = windowOf(period, zone, at(now));
        const label = (time: number) => clock.format(time).slice(0, period === "1y" ? 7 : 10);
        for (const [row, start] of starts.entries()) {
          expect(label(start)).not.toBe(label(start - 1));
          expect(label(start)).toBe(label((starts[row + 1] ?? to) - 1));
        }
      }
    }
  });
});

describe("24h", () => {
  it("is 24 hours of equal length that end with the current hour of the zone", () => {
    expect(ends(windowOf("24h", "UTC", at("2026-11-21T14:59:59.999Z")))).toEqual([
      "2026-11-20T15:00:00.000Z",
      "2026-11-21T15:00:00.000Z",
    ]);
    expect(ends(windowOf("24h", "Asia/Kathmandu", at("2026-11-21T14:20:00Z")))).toEqual([
      "2026-11-20T15:15:00.000Z",
      "2026-11-21T15:15:00.000Z",
    ]);
    expect(windowOf("24h", "Europe/Berlin", at("2026-10-25T01:30:00Z")).starts).toHaveLength(24);
  });
});

describe("days", () => {
  it("have 23 and 25 hours when clocks change", () => {
    expect(hours(windowOf("7d", "Europe/Berlin", at("2026-03-31T12:00:00Z")))).toEqual([
      24, 24, 24, 24, 23, 24, 24,
    ]);
    expect(hours(windowOf("7d", "Europe/Berlin", at("2026-10-27T12:00:00Z")))).toEqual([
      24, 24, 24, 24, 25, 24, 24,
    ]);
  });
  it("are half an hour longer or shorter on Lord Howe Island", () => {
    expect(hours(windowOf("7d", "Australia/Lord_Howe", at("2026-04-06T00:00:00Z")))[5]).toBe(24.5);
    expect(hours(windowOf("7d", "Australia/Lord_Howe", at("2026-10-05T00:00:00Z")))[5]).toBe(23.5);
  });
  it("begin at one o'clock if there is no midnight", () => {
    expect(iso(windowOf("7d", "America/Santiago", at("2026-09-06T12:00:00Z")).starts).at(-1)).toBe(
      "2026-09-06T04:00:00.000Z",
    );
    expect(iso(windowOf("7d", "Africa/Cairo", at("2026-04-24T12:00:00Z")).starts).at(-1)).toBe(
      "2026-04-23T22:00:00.000Z",
    );
  });
  it("leave out a day that did not exist: Samoa skipped 30 December 2011", () => {
    const window = windowOf("7d", "Pacific/Apia", at("2012-01-02T00:00:00Z"));
    expect(window.starts).toHaveLength(7);
    expect(hours(window)).toEqual([24, 24, 24, 24, 24, 24, 24]);
  });
});

describe("months", () => {
  it("are twelve, and the current one is the last", () => {
    expect(ends(windowOf("1y", "Europe/Berlin", at("2026-11-30T23:30:00Z")))).toEqual([
      "2025-12-31T23:00:00.000Z",
      "2026-12-31T23:00:00.000Z",
    ]);
  });
  it("start with the month of the first click, in the zone", () => {
    const first = at("2024-12-31T23:30:00Z");
    expect(windowOf("all", "UTC", at("2025-02-15T00:00:00Z"), first).starts).toHaveLength(3);
    expect(windowOf("all", "Europe/Berlin", at("2025-02-15T00:00:00Z"), first).starts).toHaveLength(2);
  });
  it("are the current one without clicks, or with clicks of a clock that is ahead", () => {
    expect(windowOf("all", "UTC", at("2026-11-30T23:59:00Z"))).toEqual(
      windowOf("all", "UTC", at("2026-11-30T23:59:00Z"), at("2026-12-01T00:00:05Z")),
    );
    expect(windowOf("all", "UTC", at("2026-11-30T23:59:00Z")).starts).toHaveLength(1);
  });
});

describe("a window between any two times", () => {
  it.each(zones)("has rows that begin with an hour, a day, a Monday or a month: %s", (zone) => {
    const parts = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      ...({ year: "numeric", month: "2-digit", day: "2-digit", weekday: "short" } as const),
      ...({ hour: "2-digit", hourCycle: "h23", minute: "2-digit", timeZoneName: "longOffset" } as const),
    });
    const clock = (time: number) =>
      Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
    /** Different for any two hours, days or months. */
    const name = (time: number, granularity: "hour" | "day" | "month") => {
      const { year, month, day, hour, timeZoneName: offset } = clock(time);
      return {
        hour: [year, month, day, hour, offset],
        day: [year, month, day],
        month: [year, month],
      }[granularity].join();
    };
    for (const [from, to] of [
      ["2026-03-27T10:15:00Z", "2026-04-06T11:00:00Z"],
      ["2026-10-23T22:45:00Z", "2026-11-02T10:15:00Z"],
    ] as const) {
      for (const granularity of granularities) {
        const { starts } = withRows({ from: at(from), to: at(to) }, zone, granularity);
        expect(starts[0]).toBe(at(from));
        // There, clocks change inside an hour or by half of one.
        const changes = ["Australia/Lord_Howe", "Pacific/Chatham"];
        if (granularity === "hour" && changes.includes(zone)) continue;
        const inner = granularity === "week" ? "day" : granularity;
        for (const start of starts.slice(1)) expect(name(start, inner)).not.toBe(name(start - 1, inner));
        if (granularity === "week") {
          expect(starts.slice(1).map((start) => clock(start)["weekday"])).toEqual(
            starts.slice(1).map(() => "Mon"),
          );
          continue;
        }
        for (const [row, start] of starts.entries())
          expect(name((starts[row + 1] ?? at(to)) - 1, inner)).toBe(name(start, inner));
      }
    }
  });

  it("is made of whole dates, or of quarters of an hour", () => {
    const zone = "Europe/Berlin";
    expect(iso([startAt("2026-03-29", zone), endAt("2026-03-29", zone)])).toEqual([
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    expect(
      iso([startAt("2026-03-29T12:14:59.999+02:00", zone), endAt("2026-03-29T12:15:00.001Z", zone)]),
    ).toEqual(["2026-03-29T10:00:00.000Z", "2026-03-29T12:30:00.000Z"]);
    // ISO 8601 limits no decimals.
    expect(startAt("2026-03-29T12:15:00.1234567890123+02:00", zone)).toBe(Date.parse("2026-03-29T10:15Z"));
  });

  it("has rows of a length that suits it", () => {
    const from = at("2026-01-01T00:00:00Z");
    const lengths = [1, 2, 3, 100, 101].map((days) =>
      withRows({ from, to: from + days * 86_400_000 }, "UTC"),
    );
    expect(lengths.map(({ granularity }) => granularity)).toEqual(["hour", "hour", "day", "day", "month"]);
  });

  it("follows one with as many days, or as long", () => {
    const zone = "Europe/Berlin";
    const days = withRows({ from: startAt("2026-03-29", zone), to: endAt("2026-03-31", zone) }, zone);
    expect(ends(equalWindowBefore(days, zone))).toEqual([
      "2026-03-25T23:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
    ]);
    const part = withRows({ from: at("2026-03-29T00:30:00Z"), to: at("2026-03-29T05:00:00Z") }, zone);
    expect(ends(equalWindowBefore(part, zone))).toEqual([
      "2026-03-28T20:00:00.000Z",
      "2026-03-29T00:30:00.000Z",
    ]);
  });
});

describe("dates", () => {
  it("include leap days", () => {
    const { dates } = daysBetween("2028-02-28", "2028-03-01", "UTC");
    expect(dates).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(daysBetween("2026-01-02", "2026-01-01", "UTC").dates).toEqual([]);
  });
  it("that a zone skipped begin as the next one", () => {
    const { bounds } = daysBetween("2011-12-29", "2011-12-31", "Pacific/Apia");
    expect(iso(bounds)).toEqual([
      "2011-12-29T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-31T10:00:00.000Z",
    ]);
  });
});

describe("a time zone", () => {
  it.each([
    ["europe/berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["Etc/GMT+5", "Etc/GMT+5"],
  ])("is found by its name in any case: %s", (text, name) => expect(timeZoneName(text)).toBe(name));
  it.each([
    "",
    "+05:30",
    "-08:00",
    "Z",
    "Mars/Olympus",
    "Europe/Berlin ",
    "[UTC]",
    "2026-01-01T00:00Z",
    "Ä",
    "x".repeat(999),
  ])("is not an offset or any other text: %s", (text) => expect(timeZoneName(text)).toBeNull());
});
