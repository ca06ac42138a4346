import { describe, expect, it } from "vitest";
import { planBreakdowns, planSeries, type Range } from "../../src/analytics/periods/plan.ts";
import { windowOf } from "../../src/analytics/periods/periods.ts";

const at = (text: string) => Date.parse(text);
const first = at("2024-05-06T07:08:09Z");
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/Los_Angeles",
  "Asia/Kathmandu",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
];
const nows = [
  "2026-11-01T00:00:00Z",
  "2026-11-01T09:10:00Z",
  "2026-11-21T14:30:00Z",
  "2026-11-30T23:59:59Z",
  "2026-12-31T22:00:00Z",
  "2026-03-01T05:00:00Z",
];
const windows = zones.flatMap((zone) =>
  nows.flatMap((now) =>
    (["24h", "7d", "30d", "90d", "1y", "all"] as const).map((period) => ({
      name: `${period} ${zone} ${now}`,
      window: windowOf(period, zone, at(now), first),
    })),
  ),
);
const day = 86_400_000;

/** How often moments are counted, at the bounds where that can change. */
function timesCounted(parts: readonly { sign: number; range: Range }[], [from, to]: Range): Set<string> {
  const edges = [from, to, ...parts.flatMap(({ range }) => [...range])].flatMap((edge) => [edge - 1, edge]);
  return new Set(
    edges.map((moment) => {
      const count = parts.reduce(
        (sum, { sign, range }) => sum + (range[0] <= moment && moment < range[1] ? sign : 0),
        0,
      );
      return `${moment >= from && moment < to ? "within" : "outside"}: ${count}`;
    }),
  );
}
const once = new Set(["within: 1", "outside: 0"]);

/** Bounds that need not be those of a period. */
const bounds = [
  "2026-09-29T22:00:00Z",
  "2026-09-30T00:00:00Z",
  "2026-09-30T01:45:00Z",
  "2026-09-30T14:15:00Z",
  "2026-10-01T00:00:00Z",
  "2026-10-01T13:00:00Z",
  "2026-11-30T23:45:00Z",
].map(at);

describe.each([true, false])("any window in the past, while raw clicks are kept: %s", (rawIsKept) => {
  it.each([true, false])("is counted once, and nothing else is, with months: %s", (months) => {
    for (const from of bounds) {
      for (const to of bounds.filter((bound) => bound > from)) {
        const known = { months, rawIsKept, endIsKept: rawIsKept, isPast: true };
        const plan = planBreakdowns({ from, to }, known);
        const parts = [
          { sign: 1, range: plan.months },
          { sign: 1, range: plan.days },
          { sign: -1, range: plan.daysAfter },
          plan.raw.start,
          plan.raw.end,
        ];
        expect(timesCounted(parts, [from, to])).toEqual(once);
        if (!rawIsKept) expect([plan.raw.start.sign, plan.raw.end.sign]).toEqual([1, 1]);
        // The days that bots are summed from are the same.
        const days = [{ sign: 1, range: plan.wholeDays }, plan.raw.start, plan.raw.end];
        expect(timesCounted(days, [from, to])).toEqual(once);
        // Where nothing comes after the window, its last day is taken as a whole.
        const quiet = planBreakdowns({ from, to }, { ...known, isQuietAfter: true });
        const untilMidnight: Range = [from, Math.ceil(to / day) * day];
        expect(quiet.raw.end.range).toEqual([0, 0]);
        expect(timesCounted([{ sign: 1, range: quiet.wholeDays }, quiet.raw.start], untilMidnight)).toEqual(
          once,
        );
      }
    }
  });
});

describe.each(windows)("$name", ({ window }) => {
  it("is counted once, and nothing else is, in its time series", () => {
    const { days, quarterHours } = planSeries([...window.starts, window.to]);
    const parts = [...days, ...quarterHours].map((range) => ({ sign: 1, range }));
    expect(timesCounted(parts, [window.from, window.to])).toEqual(once);
    expect(days.flat().filter((bound) => bound % day !== 0)).toEqual([]);
  });

  it.each([
    { months: true, rawIsKept: true },
    { months: true, rawIsKept: false },
    { months: false, rawIsKept: true },
    { months: false, rawIsKept: false },
  ])("is counted once, and nothing else is, in its breakdowns: %j", (options) => {
    const { months, days, daysAfter, raw } = planBreakdowns(window, options);
    const parts = [
      { sign: 1, range: months },
      { sign: 1, range: days },
      { sign: -1, range: daysAfter },
      raw.start,
      raw.end,
    ];
    expect(timesCounted(parts, [window.from, window.to])).toEqual(once);
    expect([...days, ...daysAfter, ...months].filter((bound) => bound % day !== 0)).toEqual([]);
    expect(months.filter((bound) => new Date(bound).getUTCDate() !== 1)).toEqual([]);
    // Raw clicks are the costly part; nothing can be subtracted from a day whose raw clicks were dropped.
    const length = raw.start.range[1] - raw.start.range[0];
    expect(length).toBeLessThanOrEqual(options.rawIsKept ? day / 2 : day);
    if (!options.rawIsKept) expect(raw.start.sign).toBe(1);
  });
});
