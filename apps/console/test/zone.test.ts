import { describe, expect, it } from "vitest";
import { momentIn } from "../src/kit/format/zone.ts";

describe("the moment at which the clocks of a zone show a time", () => {
  it.each([
    ["UTC", "2026-11-23T10:00", "2026-11-23T10:00:00.000Z"],
    ["Asia/Tokyo", "2026-11-23T00:00", "2026-11-22T15:00:00.000Z"],
    ["America/St_Johns", "2026-07-01T23:59:59.999", "2026-07-02T02:29:59.999Z"],
    // The clocks change at 2:00 on 29 March, and back at 3:00 on 25 October.
    ["Europe/Berlin", "2026-03-29T00:00", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25T00:00", "2026-10-24T22:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
    ["Pacific/Auckland", "2026-09-27T00:00", "2026-09-26T12:00:00.000Z"],
  ])("%s, %s", (zone, shown, moment) => {
    expect(momentIn(zone, shown)).toBe(moment);
  });
});
