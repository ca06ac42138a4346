import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { tempFolder } from "@terse/testkit";
import { clickOn, depsOf, url } from "../helpers.ts";
import { drainOf, logClicks } from "../clicks/drain/helpers.ts";
import { listOf, randomFrom } from "./naive.ts";

let now = Date.parse("2026-11-21T14:30:00Z");
const dayMs = 86_400_000;
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);

interface Visit {
  time: number;
  host: string;
}

/** A link of a new account, with these visits. */
async function linkWith(...batches: Visit[][]) {
  const caller = core.caller(await actor("pro"));
  const { id } = await caller.links.create({ url });
  for (const batch of batches) {
    const folder = await tempFolder();
    await logClicks(
      folder,
      batch.map(({ time, host }) => clickOn(id, { time, referrer: host && `https://${host}/` })),
      { perFrame: 500, segmentBytes: 1e7 },
    );
    await drainOf(core, folder).once();
  }
  return { id, caller };
}

type Rows = { referrer: string; clicks: number }[];
const sumOf = (rows: { clicks: number }[]) => rows.reduce((sum, { clicks }) => sum + clicks, 0);

/** The hundred with the most clicks, and one row for the others, some of which can have that name already. */
function naive(names: readonly string[]): Rows {
  const all = listOf("referrer", names) as unknown as Rows;
  const first = all.slice(0, 100);
  const others = sumOf(all.slice(100)) + sumOf(first.filter(({ referrer }) => referrer === "(other)"));
  return [
    ...first.filter(({ referrer }) => referrer !== "(other)"),
    ...(others > 0 ? [{ referrer: "(other)", clicks: others }] : []),
  ].toSorted((a, b) => b.clicks - a.clicks || (a.referrer < b.referrer ? -1 : 1));
}

const periods = [
  ["24h", Date.parse("2026-11-20T15:00:00Z")],
  ["7d", Date.parse("2026-11-15T00:00:00Z")],
  ["all", 0],
] as const;

async function check({ id, caller }: Awaited<ReturnType<typeof linkWith>>, visits: readonly Visit[]) {
  for (const [period, from] of periods) {
    const names = visits.filter(({ time }) => time >= from).map(({ host }) => host || "(direct)");
    for (const report of [
      await caller.analytics.overview({ period }),
      await caller.analytics.link({ id, period }),
    ]) {
      expect({ period, referrers: report.referrers }).toEqual({ period, referrers: naive(names) });
      for (const list of [report.countries, report.devices, report.browsers, report.os, report.referrers])
        expect(sumOf(list)).toBe(report.clicks);
      expect(report.clicks).toBe(names.length);
    }
  }
}

const random = randomFrom(11);
const anyTime = () => Math.floor(now - random() * 10 * dayMs);

it("a hundred referrers are all listed, without a row for others", async () => {
  const visits = Array.from({ length: 300 }, (_, at) => ({
    time: anyTime(),
    host: at % 100 === 0 ? "" : `r${at % 100}.example`,
  }));
  await check(await linkWith(visits), visits);
});

it("more referrers share one row, sorted by its clicks, and every list adds up", async () => {
  const uneven = Array.from({ length: 2500 }, () => ({
    time: anyTime(),
    host: `r${Math.floor(160 * random() ** 3)}.example`,
  }));
  await check(await linkWith(uneven), uneven);
  const even = Array.from({ length: 900 }, (_, at) => ({ time: anyTime(), host: `r${at % 450}.example` }));
  await check(await linkWith(even), even);
});

it("that row includes referrers that exceeded the limit of a day", async () => {
  const time = now - 3_600_000;
  const usual = Array.from({ length: 500 }, (_, at) => ({ time, host: `usual-${at % 120}.example` }));
  const first = Array.from({ length: 880 }, (_, at) => ({ time, host: `first-${at}.example` }));
  const late = Array.from({ length: 700 }, (_, at) => ({ time, host: `late-${at}.example` }));
  const capped = late.map((visit) => ({ ...visit, host: "(other)" }));
  await check(await linkWith(usual, first, late), [...usual, ...first, ...capped]);
});

it("that row does not include clicks whose raw clicks were dropped", async () => {
  now = Date.parse("2026-10-07T12:00:00Z");
  const september = Date.parse("2026-09-30T23:30:00Z");
  const old = Array.from({ length: 150 }, (_, at) => ({ time: september, host: `old-${at}.example` }));
  const recent = Array.from({ length: 230 }, (_, at) => ({
    time: september + dayMs,
    host: `new-${at}.example`,
  }));
  const { id, caller } = await linkWith([...old, ...recent]);
  await depsOf(core).pool.query(
    "drop table clicks_2026_09; insert into click_months_dropped values ('2026-09-01')",
  );
  // The last two hours of September in UTC are in October in Berlin.
  const question = { period: "7d", tz: "Europe/Berlin" } as const;
  for (const { clicks, referrers } of [
    await caller.analytics.overview(question),
    await caller.analytics.link({ id, ...question }),
  ]) {
    expect(clicks).toBe(380);
    expect(referrers.slice(0, 2)).toEqual([
      { referrer: "unknown", clicks: 150 },
      { referrer: "(other)", clicks: 130 },
    ]);
    expect(referrers.slice(2).map((row) => row.clicks)).toEqual(Array(100).fill(1));
  }
});
