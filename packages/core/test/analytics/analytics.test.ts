import { afterAll, describe, expect, it } from "vitest";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, depsOf, rejection, unknownId, url } from "../helpers.ts";

let now = Date.parse("2026-11-21T14:30:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const dayMs = 86_400_000;

async function rowsOf({ body }: FileReply): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const piece of body) text += piece;
  return JSON.parse(text) as Record<string, unknown>[];
}

/** An account with a link that was clicked at these times. */
async function seededAccount(plan: "free" | "pro" | "enterprise", ...times: number[]) {
  const owner = await actor(plan);
  const caller = core.caller(owner);
  const link = await caller.links.create({ url });
  for (const [at, time] of times.entries())
    await core.clicks.record(clickOn(link.id, { time, address: `8.8.8.${at}` }));
  return { owner, caller, link };
}

describe("an account without clicks", () => {
  it.each(["24h", "7d", "30d", "90d", "1y", "all"] as const)("has zeros in every row: %s", async (period) => {
    const { caller, link } = await seededAccount("pro");
    for (const report of [
      await caller.analytics.overview({ period, compare: true }),
      await caller.analytics.link({ id: link.id, period, compare: true }),
    ]) {
      expect(report).toMatchObject({
        locked: false,
        clicks: 0,
        visitors: 0,
        bots: 0,
        previous: { clicks: 0, visitors: 0, to: report.from },
        change: { clicks: null, visitors: null },
        countries: [],
        referrers: [],
        top_links: [],
      });
      expect(report.timeseries.every(({ clicks, visitors }) => clicks === 0 && visitors === 0)).toBe(true);
    }
    expect(await rowsOf(await caller.analytics.export({ period, format: "json" }))).toEqual([]);
    expect(await caller.analytics.realtime()).toEqual([]);
  });
});

describe("the Free plan", () => {
  it("gets an empty overview", async () => {
    const { caller, link } = await seededAccount("free", now - 1000);
    const { locked, period, granularity, timezone, from, to, ...rest } = await caller.analytics.overview({
      period: "7d",
      compare: true,
      tz: "europe/BERLIN",
      linkId: link.id,
    });
    expect({ locked, period, granularity, timezone, from, to }).toEqual({
      locked: true,
      period: "7d",
      granularity: "day",
      timezone: "Europe/Berlin",
      from: "2026-11-14T23:00:00.000Z",
      to: "2026-11-21T23:00:00.000Z",
    });
    expect(rest).toEqual({
      clicks: null,
      visitors: null,
      bots: null,
      previous: null,
      change: null,
      bots_by: [],
      groups: null,
      other_groups: null,
      timeseries: [],
      countries: [],
      devices: [],
      browsers: [],
      os: [],
      referrers: [],
      channels: [],
      top_links: [],
    });
  });

  it("has the analytics of each link", async () => {
    const { caller, link } = await seededAccount("free", now - 1000);
    expect(await caller.analytics.link({ id: link.id })).toMatchObject({
      locked: false,
      clicks: 1,
      link: { id: link.id, click_count: 1 },
      variants: [],
    });
  });
});

describe("a link that was deleted", () => {
  it("stays in its account's analytics under its own name, but has none of its own", async () => {
    const { caller, link } = await seededAccount("pro", now - 1000, now - 2000);
    await caller.links.delete({ id: link.id });
    const { id, slug, domain, shortUrl, destination, title } = link;
    expect(await caller.analytics.overview({})).toMatchObject({
      clicks: 2,
      top_links: [{ id, slug, domain, shortUrl, destination, title, clicks: 2 }],
    });
    expect(await caller.analytics.realtime()).toMatchObject([
      { link_id: id, slug, shortUrl },
      { link_id: id, slug, shortUrl },
    ]);
    expect(await rowsOf(await caller.analytics.export({ format: "json" }))).toMatchObject([
      { link_id: id, slug, domain, destination, unique: true },
      { link_id: id, slug, domain, destination, unique: true },
    ]);
    const gone = { code: "NOT_FOUND", message: "Link not found" };
    expect(await rejection(caller.analytics.link({ id }))).toEqual(gone);
    expect(await rejection(caller.analytics.overview({ linkId: id }))).toEqual(gone);
    expect(
      await rejection(caller.analytics.dailyStats({ id, from: "2026-11-21", to: "2026-11-21" })),
    ).toEqual(gone);
  });

  it("frees its slug for a link that starts at zero", async () => {
    const { caller, link } = await seededAccount("pro", now - 1000);
    await caller.links.delete({ id: link.id });
    const next = await caller.links.create({ url, slug: link.slug });
    expect((await caller.analytics.link({ id: next.id })).clicks).toBe(0);
    expect((await caller.analytics.overview({})).clicks).toBe(1);
  });
});

it("another account's link is not found, on every plan", async () => {
  const { link } = await seededAccount("pro", now - 1000);
  for (const plan of ["free", "pro"] as const) {
    const { caller } = await seededAccount(plan);
    const refusal = await rejection(caller.analytics.overview({ linkId: link.id }));
    expect(refusal).toEqual({ code: "NOT_FOUND", message: "Link not found" });
    expect(refusal).toEqual(await rejection(caller.analytics.overview({ linkId: unknownId })));
  }
});

describe("the window before", () => {
  it("has as many rows, and changes are relative to it", async () => {
    const days = (count: number) => now - count * dayMs;
    const { caller } = await seededAccount("pro", days(0), days(1), days(2), days(7), days(13), days(14));
    const { previous, change, clicks, from } = await caller.analytics.overview({
      period: "7d",
      compare: true,
    });
    expect([clicks, previous, change]).toEqual([
      3,
      { from: "2026-11-08T00:00:00.000Z", to: from, clicks: 2, visitors: 2 },
      { clicks: 0.5, visitors: 0.5 },
    ]);
    expect(await caller.analytics.overview({ period: "7d" })).toMatchObject({ previous: null, change: null });
  });
});

describe("clicks whose raw clicks were dropped", () => {
  it("stay in all totals, but half a day of them is unknown in breakdowns", async () => {
    const { pool } = depsOf(core);
    const september = Date.parse("2026-09-30T23:30:00Z");
    const { caller, link } = await seededAccount("pro", september, september + dayMs, now - 1000);
    now = Date.parse("2026-10-07T12:00:00Z");
    const question = { period: "7d", tz: "Europe/Berlin" } as const;
    const before = await caller.analytics.overview(question);
    await pool.query("drop table clicks_2026_09");
    await pool.query("insert into click_months_dropped values ('2026-09-01')");
    for (const report of [
      await caller.analytics.overview(question),
      await caller.analytics.link({ id: link.id, ...question }),
    ]) {
      expect(report).toMatchObject({
        clicks: 2,
        visitors: 2,
        timeseries: before.timeseries,
        browsers: [
          { browser: "Firefox", clicks: 1 },
          { browser: "unknown", clicks: 1 },
        ],
        referrers: [
          { referrer: "(direct)", clicks: 1 },
          { referrer: "unknown", clicks: 1 },
        ],
        channels: [
          { channel: "direct", clicks: 1 },
          { channel: "unknown", clicks: 1 },
        ],
      });
    }
    // Most of the day is in this window: with raw clicks, the rest would be subtracted from the whole day.
    now = Date.parse("2026-10-06T12:00:00Z");
    const western = await caller.analytics.overview({ period: "7d", tz: "America/Los_Angeles" });
    expect(western.clicks).toBe(2);
    expect(western.browsers).toEqual([
      { browser: "Firefox", clicks: 1 },
      { browser: "unknown", clicks: 1 },
    ]);
    now = Date.parse("2026-11-21T14:30:00Z");
  });
});

describe("daily stats", () => {
  const id = unknownId;
  const date = "must be a date between 2000-01-01 and 2099-12-31, written YYYY-MM-DD";
  it.each([
    [{ from: "2026-02-30", to: "2026-03-01" }, `from: ${date}`],
    [{ from: "2026-01-01", to: "tomorrow" }, `to: ${date}`],
    [{ from: "1999-12-31", to: "2000-01-01" }, `from: ${date}`],
    [{ from: "2026-1-1", to: "2026-01-01" }, `from: ${date}`],
    [{ from: "2026-01-02", to: "2026-01-01" }, "to: must not be before from"],
    [{ from: "2025-01-01", to: "2026-01-02" }, "to: the window must have at most 366 days, not 367"],
  ])("refuse %j", async (range, message) => {
    const { caller } = await seededAccount("pro");
    expect(await rejection(caller.analytics.dailyStats({ id, ...range }))).toEqual({
      code: "BAD_REQUEST",
      message,
    });
  });

  it("have a row for each day of up to a leap year, with or without clicks", async () => {
    const { caller, link } = await seededAccount("pro", Date.parse("2024-02-29T23:59:59.999Z"));
    const days = await caller.analytics.dailyStats({ id: link.id, from: "2024-01-01", to: "2024-12-31" });
    expect(days).toHaveLength(366);
    expect(days.filter(({ clicks }) => clicks > 0)).toEqual([{ date: "2024-02-29", clicks: 1, visitors: 1 }]);
  });
});

it("totals and breakdowns agree while clicks are being counted", async () => {
  const { caller, link } = await seededAccount("pro");
  let counting = true;
  const counted = (async () => {
    for (let at = 0; at < 100; at++)
      await core.clicks.record(
        clickOn(link.id, { time: now - (at % 5) * 3_600_000, address: `10.0.${at}.1` }),
      );
    counting = false;
  })();
  const sum = (list: { clicks: number }[]) => list.reduce((all, { clicks }) => all + clicks, 0);
  let seen = 0;
  while (counting) {
    const { clicks, timeseries, countries, devices, referrers, top_links } = await caller.analytics.overview({
      period: "7d",
      tz: "Asia/Kathmandu",
    });
    expect([timeseries, countries, devices, referrers, top_links].map(sum)).toEqual(Array(5).fill(clicks));
    seen = Math.max(seen, clicks ?? 0);
  }
  await counted;
  expect(seen).toBeGreaterThan(0);
});
