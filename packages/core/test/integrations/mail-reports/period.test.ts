import { expect, it } from "vitest";
import { duePeriod } from "../../../src/integrations/mail-reports/period.ts";

/** The period at a moment, and when the next report is due. */
const at = (frequency: "weekly" | "monthly", zone: string, now: string) => {
  const { from, to, next } = duePeriod(frequency, zone, new Date(now));
  return [from, to, next.toISOString()];
};

it.each([
  [
    "on Sunday night the week is not over",
    "UTC",
    "2026-11-22T23:59:00Z",
    "2026-11-09",
    "2026-11-15",
    "2026-11-23T08:00",
  ],
  [
    "before eight it is not reported",
    "UTC",
    "2026-11-23T07:59:59Z",
    "2026-11-09",
    "2026-11-15",
    "2026-11-23T08:00",
  ],
  ["at eight it is", "UTC", "2026-11-23T08:00:00Z", "2026-11-16", "2026-11-22", "2026-11-30T08:00"],
  [
    "weeks later it is the last one",
    "UTC",
    "2026-12-10T00:00:00Z",
    "2026-11-30",
    "2026-12-06",
    "2026-12-14T08:00",
  ],
  [
    "a zone far east is a day ahead",
    "Pacific/Kiritimati",
    "2026-11-22T18:00:00Z",
    "2026-11-16",
    "2026-11-22",
    "2026-11-29T18:00",
  ],
  [
    "summer time ends in the week",
    "Europe/Berlin",
    "2026-10-19T06:00:00Z",
    "2026-10-12",
    "2026-10-18",
    "2026-10-26T07:00",
  ],
  ["and after it", "Europe/Berlin", "2026-10-26T07:00:00Z", "2026-10-19", "2026-10-25", "2026-11-02T07:00"],
  [
    "not an hour before",
    "Europe/Berlin",
    "2026-10-26T06:30:00Z",
    "2026-10-12",
    "2026-10-18",
    "2026-10-26T07:00",
  ],
  [
    "summer time begins",
    "America/New_York",
    "2026-03-02T13:00:00Z",
    "2026-02-23",
    "2026-03-01",
    "2026-03-09T12:00",
  ],
])("weeks: %s", (_name, zone, now, from, to, next) => {
  expect(at("weekly", zone, now)).toEqual([from, to, `${next}:00.000Z`]);
});

it.each([
  ["UTC", "2026-12-01T07:00:00Z", "2026-10-01", "2026-10-31", "2026-12-01T08:00"],
  ["UTC", "2026-12-01T08:00:00Z", "2026-11-01", "2026-11-30", "2027-01-01T08:00"],
  ["UTC", "2028-03-15T00:00:00Z", "2028-02-01", "2028-02-29", "2028-04-01T08:00"],
  ["Australia/Lord_Howe", "2026-10-01T00:00:00Z", "2026-09-01", "2026-09-30", "2026-10-31T21:00"],
])("months: in %s at %s", (zone, now, from, to, next) => {
  expect(at("monthly", zone, now)).toEqual([from, to, `${next}:00.000Z`]);
});
