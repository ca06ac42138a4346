import { afterAll, describe, expect, it } from "vitest";
import type { FileReply, Link, RawClick } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { tempFolder } from "@terse/testkit";
import { packableBefore } from "../../src/clicks/blocks/pack-clicks.ts";
import { createHourSums } from "../../src/clicks/drain/rollups/hour-sums.ts";
import { createMerging } from "../../src/clicks/drain/rollups/account-sums.ts";
import { clickOn, depsOf } from "../helpers.ts";
import { drainOf, logClicks } from "../clicks/drain/helpers.ts";
import { agents, count, type ExpectedClick, localDate, markUnique, randomFrom } from "./naive.ts";

let now = Date.now();
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);

const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const;
/** Moments shortly after clocks changed somewhere, and time zones. */
const cases = [
  { moment: "2026-03-29T13:20:00Z", zones: ["Europe/Berlin", "Asia/Beirut", "UTC"] },
  { moment: "2026-10-25T01:30:00.001Z", zones: ["Europe/Berlin", "Asia/Kathmandu", "Pacific/Kiritimati"] },
  { moment: "2026-10-03T16:00:00Z", zones: ["Australia/Lord_Howe", "Pacific/Apia", "Etc/GMT+12"] },
  { moment: "2026-12-31T23:59:30Z", zones: ["UTC", "Asia/Kathmandu", "America/Santiago"] },
];
const moreCases = [
  { moment: "2026-03-08T23:59:59.999Z", zones: ["America/New_York", "America/Havana", "Asia/Kolkata"] },
  { moment: "2026-11-01T07:10:00Z", zones: ["America/Los_Angeles", "America/Havana", "America/St_Johns"] },
  { moment: "2026-04-04T15:40:00Z", zones: ["Australia/Lord_Howe", "Pacific/Chatham", "UTC"] },
  { moment: "2026-09-06T04:05:00Z", zones: ["America/Santiago", "America/Los_Angeles"] },
  { moment: "2026-04-24T20:15:00Z", zones: ["Africa/Cairo", "Pacific/Marquesas"] },
];

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

/** Clicks on links of several accounts, recent and old, around the bounds of hours, days and months. */
function randomClicks(seed: number, links: readonly { id: string; account: string }[]): ExpectedClick[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const day = 86_400_000;
  const moment = () => {
    const past =
      now - random() * pick([day / 12, day, 3 * day, 10 * day, 40 * day, 100 * day, 420 * day, 900 * day]);
    const quarter = Math.round(past / 900_000) * 900_000;
    const midnight = Math.round(past / day) * day;
    // The clock of another node can be ahead.
    return Math.floor(
      pick([past, past, quarter, quarter - 1, midnight, midnight - 1, now + random() * day * 0.9]),
    );
  };
  const clicks = Array.from({ length: 400 }, (): ExpectedClick => {
    const link = pick(links);
    const agent = pick(agents);
    const isHead = random() < 0.1;
    const country = pick(["DE", "FR", "NP", ""]);
    const [header, referrer, channel] = pick([
      ["", "(direct)", "direct"],
      ["https://news.example/a?b", "news.example", "other"],
      ["https://www.google.de/", "google.com", "search"],
    ] as const);
    const variant = Math.floor(random() * 3) - 1;
    const time = moment();
    const raw = clickOn(link.id, {
      time,
      address: `10.0.0.${Math.floor(random() * 4)}`,
      user_agent: agent.user_agent,
      referrer: header,
      country,
      flags: isHead ? 1 : 0,
      variant,
    });
    const nothing = { device: "", browser: "", os: "" };
    return {
      ...(agent.stored ?? nothing),
      raw,
      account: link.account,
      link: link.id,
      time,
      isBot: isHead || agent.stored === null,
      rule: agent.stored === null ? "curl" : isHead ? "HEAD request" : null,
      country: country || "unknown",
      referrer,
      channel,
      variant,
      unique: false,
    };
  });
  markUnique(clicks);
  return clicks;
}

interface AnyReport {
  clicks: number | null;
  visitors: number | null;
  bots: number | null;
  timeseries: { start: string; clicks: number; visitors: number }[];
  top_links: { id: string; clicks: number }[];
  [list: string]: unknown;
}

/** A report in the shape of `count`. */
const figures = (report: AnyReport) => ({
  clicks: report.clicks,
  visitors: report.visitors,
  bots: report.bots,
  bots_by: report["bots_by"],
  previous: report["previous"],
  change: report["change"],
  rows: report.timeseries.map(({ clicks, visitors }) => ({ clicks, visitors })),
  countries: report["countries"],
  devices: report["devices"],
  browsers: report["browsers"],
  os: report["os"],
  referrers: report["referrers"],
  channels: report["channels"],
  top_links: report.top_links.map(({ id, clicks }) => ({ id, clicks })),
});

const variants = [
  { url: "https://example.com/a", weight: 1 },
  { url: "https://example.com/b", weight: 2 },
];

describe.each(cases)("at $moment, in $zones", everyFigureIsExact);
describe.each(moreCases)("at $moment, in $zones", { tags: ["long"] }, everyFigureIsExact);

function everyFigureIsExact({ moment, zones }: (typeof cases)[number]) {
  it("every figure equals a simple count, and figures equal each other", { timeout: 240_000 }, async () => {
    now = Date.parse(moment);
    const owners = [await actor("pro"), await actor("pro")];
    const links: (Link & { account: string })[] = [];
    for (const owner of owners) {
      for (let made = 0; made < 3; made++) {
        const link = await core.caller(owner).links.create({
          url: `https://example.com/${made}`,
          ...(made === 0 && { ab_test: { variants } }),
        });
        links.push({ ...link, account: owner.account.id });
      }
    }
    const clicks = randomClicks(Date.parse(moment), links);
    const raw = clicks.map((click) => click.raw);
    await countThem(raw.slice(0, 250));
    await finishPortions(createMerging(pool, packableBefore(now)));
    await finishPortions(createHourSums(pool, now, { least: 1 }));
    // Late ones, in hours that have sums.
    await countThem(raw.slice(250));
    // Of the second account one zone is enough: it shows that accounts are counted apart.
    for (const [at, owner] of owners.entries())
      await check(owner, clicks, links, at === 0 ? zones : zones.slice(0, 1));
    await finishPortions(createMerging(pool, packableBefore(now)));
    await finishPortions(createHourSums(pool, now, { least: 1 }));
    await check(owners[0] as Owner, clicks, links, zones);
  });
}

async function countThem(clicks: readonly RawClick[]): Promise<void> {
  const folder = await tempFolder();
  await logClicks(folder, clicks);
  await drainOf(core, folder, { batchSize: 97 }).once();
}

async function finishPortions(portion: () => Promise<boolean>): Promise<void> {
  while (await portion());
}

type Owner = Awaited<ReturnType<typeof actor>>;

async function check(
  owner: Owner,
  all: ExpectedClick[],
  links: (Link & { account: string })[],
  zones: string[],
) {
  const { analytics, links: own } = core.caller(owner);
  const clicks = all.filter(({ account }) => account === owner.account.id);
  const [tested, deleted] = links.filter(({ account }) => account === owner.account.id);
  if (!tested || !deleted) throw new Error("An account has no links");
  const testedClicks = clicks.filter(({ link }) => link === tested.id);
  const listed = await own.list({});
  expect(listed.data.map(({ id, click_count }) => [id, click_count])).toEqual(
    listed.data.map(({ id }) => [id, clicks.filter(({ link, isBot }) => link === id && !isBot).length]),
  );
  if (listed.data.some(({ id }) => id === deleted.id)) await own.delete({ id: deleted.id });

  for (const tz of zones) {
    for (const period of periods) {
      const question = { period, tz, compare: true };
      const overview = await analytics.overview(question);
      const { report, inWindow } = count(clicks, period, tz, now);
      expect({ period, tz, ...figures(overview) }).toEqual({ period, tz, ...report });
      expect(overview.from).toBe(overview.timeseries[0]?.start);

      const exported = JSON.parse(
        await textOf(await analytics.export({ period, tz, format: "json" })),
      ) as Row[];
      const rowOf = (row: Row) =>
        `${row.timestamp} ${row.link_id} ${row.country} ${row.os} ${row.referrer} ${row.channel} ${row.unique}`;
      expect(exported.map(rowOf).toSorted()).toEqual(
        inWindow
          .map(({ time, link, ...click }) =>
            rowOf({ ...click, timestamp: new Date(time).toISOString(), link_id: link }),
          )
          .toSorted(),
      );
      expect(exported.filter(({ unique }) => unique)).toHaveLength(overview.visitors ?? Number.NaN);

      const naive = count(testedClicks, period, tz, now);
      const link = await analytics.link({ id: tested.id, ...question });
      expect({ period, tz, ...figures(link) }).toEqual({ period, tz, ...naive.report });
      expect(link.variants).toEqual(variants.map((one, at) => ({ ...one, clicks: naive.variants[at] })));
      const { link: _link, variants: _variants, ...rest } = link;
      expect(await analytics.overview({ linkId: tested.id, ...question })).toEqual(rest);
    }
    await checkDays(owner, tested.id, testedClicks, tz);
  }
  const nameOf = (time: number | string, link: string) => `${new Date(time).toISOString()} ${link}`;
  const ofPeople = clicks.filter(({ isBot }) => !isBot).toSorted((a, b) => b.time - a.time);
  const feed = await analytics.realtime();
  expect(feed.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    ofPeople.slice(0, 20).map(({ time }) => time),
  );
  const names = new Set(ofPeople.map(({ time, link }) => nameOf(time, link)));
  expect(feed.filter(({ timestamp, link_id }) => !names.has(nameOf(timestamp, link_id)))).toEqual([]);
}

interface Row {
  timestamp: string;
  link_id: string;
  country: string;
  os: string;
  referrer: string;
  channel: string;
  unique: boolean;
}

async function checkDays(owner: Owner, id: string, clicks: ExpectedClick[], tz: string) {
  const [from, to] = [now - 350 * 86_400_000, now + 2 * 86_400_000].map((time) => localDate(time, tz)) as [
    string,
    string,
  ];
  const days = await core.caller(owner).analytics.dailyStats({ id, from, to, tz });
  expect(days.length).toBe((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1);
  for (const { date, ...counts } of days) {
    const ofDay = clicks.filter(({ time, isBot }) => !isBot && localDate(time, tz) === date);
    expect({ date, ...counts }).toEqual({
      date,
      clicks: ofDay.length,
      visitors: ofDay.filter(({ unique }) => unique).length,
    });
  }
}
