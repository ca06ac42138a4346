import { issue } from "../../src/kernel/issues.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mmdb } from "@terse/testkit/mmdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileReply, Link } from "../../src/index.ts";
import { countBlocks } from "../../src/analytics/questions/count.ts";
import { selectionOf } from "../../src/analytics/questions/conditions.ts";
import { sourceOf } from "../../src/analytics/questions/source.ts";
import { accountScope } from "../../src/analytics/question.ts";
import { inSnapshot } from "../../src/db/connection.ts";
import { createTestCore } from "../../src/testing.ts";
import type { Key } from "../../src/clicks/blocks/count.ts";
import { campaignIn } from "../../src/clicks/derive/campaign.ts";
import { addDomain, clickOn, depsOf, rejection } from "../helpers.ts";
import { packClicks } from "../clicks/blocks/helpers.ts";
import { agents, randomFrom } from "./naive.ts";
import {
  answerPlainly,
  createPlainClicks,
  type PlainAnswer,
  type PlainClick,
  type PlainQuestion,
} from "./plain-clicks.ts";

const now = Date.parse("2026-10-25T01:37:00Z");
/** By the last byte of the address */
const places = [
  { country: "DE", region: "DE-BY", city: "Munich, DE-BY" },
  { country: "US", region: "US-IL", city: "Springfield, US-IL" },
  { country: "US", region: "US-MO", city: "Springfield, US-MO" },
  { country: "FR", region: "unknown", city: "unknown" },
];
const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
afterAll(() => rm(folder, { recursive: true }));
const geoDatabase = join(folder, "places.mmdb");
const databaseOf = ({ country, region, city }: (typeof places)[number]) => ({
  country: { iso_code: country },
  ...(region !== "unknown" && { subdivisions: [{ iso_code: region.slice(3) }] }),
  ...(city !== "unknown" && { city: { names: { en: city.split(",")[0] as string } } }),
});
await writeFile(
  geoDatabase,
  mmdb(places.map((place, at) => [`10.0.0.${at}/32`, databaseOf(place)] as const)),
);
const { core, actor, close } = await createTestCore({ clock: () => new Date(now), geoDatabase });
afterAll(close);

const day = 86_400_000;
const random = randomFrom(16);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const someOf = <T>(list: readonly T[], count: number): T[] => Array.from({ length: count }, () => pick(list));

const owner = await actor("pro");
const { analytics, links: ownLinks } = core.caller(owner);
const links: (Link & { named: readonly string[] })[] = [];

const continents: Record<string, string> = { DE: "EU", FR: "EU", NP: "AS", US: "NA", "": "unknown" };
const sources = [
  ["", "(direct)", "direct"],
  ["https://news.example/a?b", "news.example", "other"],
  ["https://www.google.de/", "google.com", "search"],
  ["https://m.facebook.com/", "facebook.com", "social"],
] as const;

function randomClick(seen: Set<string>) {
  const link = pick(links);
  const { user_agent, stored } = pick(agents);
  const named = pick(["DE", "DE", "FR", "NP", "US", "", ""]);
  const [header, ...source] = pick(sources);
  const variant = pick([-1, 0, 1]);
  const past = now - random() * pick([day / 12, day, 10 * day, 60 * day, 420 * day]);
  const time = Math.floor(pick([past, past, Math.round(past / 900_000) * 900_000]));
  const byte = Math.floor(random() * 9);
  const address = `10.0.0.${byte}`;
  const place = places[byte];
  const country = named || (place?.country ?? "");
  const { region, city } = place?.country === country ? place : { region: "unknown", city: "unknown" };
  const flags = pick([0, 0, 0, 0, 0, 2]);
  const isBot = stored === null || flags !== 0;
  const visitor = [link.id, Math.floor(time / day), address, user_agent].join();
  const isFirst = !isBot && !seen.has(visitor);
  if (isFirst) seen.add(visitor);
  const [referrer, channel] = isBot ? ["(direct)", "direct"] : source;
  const utm = { utm_source: pick(["", "", "News", "site"]), utm_campaign: pick(["", "spring", "Ü & b"]) };
  const plain: PlainClick = {
    ...(stored ?? { device: "unknown", browser: "unknown", os: "unknown" }),
    time,
    link_id: link.id,
    tags: link.named,
    domain: link.domain,
    country: country || "unknown",
    continent: continents[country] as string,
    region,
    city,
    referrer,
    channel,
    variant: variant < 0 ? "(none)" : String(variant + 1),
    utm_source: (!isBot && utm.utm_source) || "(none)",
    utm_campaign: (!isBot && utm.utm_campaign) || "(none)",
    bot: stored === null ? "tool" : flags === 0 ? "" : "prefetch",
    is_bot: isBot,
    is_first: isFirst,
  };
  const visit = { time, address, user_agent, referrer: header, country: named, variant, flags };
  const { utm_source, utm_campaign } = utm;
  // One of them in the query of the visit, the other in that of the destination.
  const campaign = campaignIn(
    `/?utm_source=${utm_source}`,
    `https://a.example/?utm_campaign=${encodeURIComponent(utm_campaign)}`,
  );
  return { plain, raw: clickOn(link.id, { ...visit, campaign }) };
}

beforeAll(async () => {
  await addDomain(core, owner.account.id, "go.example.com");
  const tags = [["a", "B"], ["a"], [], []];
  for (const [at, own] of tags.entries()) {
    const fields = { ...(at === 1 && { domain: "go.example.com" }), url: `https://example.com/${at}` };
    const link = await ownLinks.create({ ...fields, tags: own });
    links.push({ ...link, named: own });
  }
  const seen = new Set<string>();
  const clicks = Array.from({ length: 1200 }, () => randomClick(seen));
  await record(clicks.slice(0, 600));
  // Half of them are in blocks, of which the clicks that arrive late are not.
  await packClicks(core, now - 20 * day);
  await record(clicks.slice(600));
  await ownLinks.delete({ id: (links[3] as Link).id });
  await createPlainClicks(
    depsOf(core).pool,
    clicks.map(({ plain }) => plain),
  );
});

async function record(clicks: readonly ReturnType<typeof randomClick>[]): Promise<void> {
  await Promise.all(clicks.map(({ raw }) => core.clicks.record(raw)));
}

const valuesOf: Record<string, () => readonly string[]> = {
  country: () => ["DE", "fr", "NP", "BR", "unknown"],
  continent: () => ["EU", "as", "SA", "unknown"],
  region: () => ["DE-BY", "us-il", "US-MO", "unknown", "FR-75"],
  city: () => ["Munich, DE-BY", "Springfield, US-IL", "Springfield, US-MO", "unknown", "Springfield"],
  device: () => ["desktop", "Mobile", "tv", "unknown"],
  browser: () => ["Chrome", "safari", "Firefox", "unknown"],
  os: () => ["Windows", "iOS", "Linux"],
  referrer: () => ["(direct)", "google.com", "News.Example", "other.example"],
  channel: () => ["direct", "search", "social", "mail"],
  link_id: () => links.map(({ id }) => id),
  domain: () => ["go.example.com", ...links.map(({ domain }) => domain)],
  variant: () => ["1", "2", "4", "(none)"],
  utm_source: () => ["News", "site", "(none)", "other"],
  utm_campaign: () => ["spring", "Ü & b", "(none)"],
  bot: () => ["any", "tool", "PREFETCH", "search", "unknown"],
  tag: () => ["A", "b", "unused", "(none)"],
};
const names = Object.keys(valuesOf);

const windows = [
  { period: "24h" },
  { period: "7d", granularity: "hour" },
  { period: "30d", granularity: "week" },
  { period: "90d" },
  { period: "1y" },
  { period: "all", granularity: "month" },
  { from: "2026-10-20", to: "2026-10-25" },
  { from: "2026-10-24T22:10:00Z", to: "2026-10-25T01:01:00+02:00", granularity: "hour" },
  { from: "2025-11-15", granularity: "week" },
  { from: "2026-03-29T00:30:00Z", to: "2026-09-30T23:59:59.999Z" },
];

function randomQuestion(): PlainQuestion {
  const filters = someOf(names, pick([0, 1, 1, 2, 3])).map((name) => {
    const values = valuesOf[name]?.() ?? [];
    return [name, someOf(values, pick([1, 1, 2, 3])).map((value) => pick(["", "", "!"]) + value)];
  });
  const hasBots = filters.some(([name]) => name === "bot");
  const groups = [...new Set(someOf(names, pick([0, 1, 1, 2])))].filter((name) => hasBots || name !== "bot");
  return {
    // The last link is deleted, and has no report of its own.
    of: pick([undefined, undefined, ...links.slice(0, 3).map(({ id }) => id)]),
    compare: pick([true, false]),
    ...pick(windows),
    ...Object.fromEntries(filters),
    ...(groups.length > 0 && { group_by: groups }),
    tz: pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Los_Angeles"]),
  };
}

const reportOn = ({ of, ...question }: PlainQuestion): Promise<Report> =>
  of === undefined
    ? analytics.overview(question as object)
    : analytics.link({ ...(question as object), id: of });

type Report = Awaited<ReturnType<typeof analytics.overview>>;
const lists = {
  country: "countries",
  device: "devices",
  browser: "browsers",
  os: "os",
  referrer: "referrers",
  channel: "channels",
} as const;

/** A report in the shape of a plain answer. */
const shown = (report: Report, { group_by = [] }: PlainQuestion) => ({
  from: Date.parse(report.from),
  to: Date.parse(report.to),
  clicks: report.clicks,
  visitors: report.visitors,
  bots: report.bots,
  rows: report.timeseries.map(({ clicks, visitors }) => ({ clicks, visitors })),
  lists: {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [
        name,
        report[list].map((row) => ({ value: (row as Record<string, unknown>)[name], clicks: row.clicks })),
      ]),
    ),
    link_id: report.top_links.map(({ id, clicks }) => ({ value: id, clicks })),
  },
  groups:
    report.groups?.map(({ clicks, visitors, previous, ...group }) => ({
      labels: group_by.map((name) => (group as Record<string, unknown>)[name]),
      clicks,
      visitors,
      previous,
    })) ?? [],
});

/** The groups of two windows, if they are compared, in the order of a report. */
function groupsOf(plain: PlainAnswer, earlier: PlainAnswer | null) {
  const countsOf = (answer: PlainAnswer | null) =>
    new Map(answer?.groups.map(({ labels, ...counts }) => [labels.join("\n"), counts]));
  const [during, before] = [countsOf(plain), countsOf(earlier)];
  const zeros = { clicks: 0, visitors: 0 };
  return [...new Set([...during.keys(), ...before.keys()])]
    .map((key) => ({
      labels: key.split("\n"),
      ...(during.get(key) ?? zeros),
      previous: earlier && (before.get(key) ?? zeros),
    }))
    .toSorted(
      (a, b) =>
        b.clicks - a.clicks ||
        (b.previous?.clicks ?? 0) - (a.previous?.clicks ?? 0) ||
        (a.labels.join("\n") < b.labels.join("\n") ? -1 : 1),
    );
}

/** The same question about the window that a report compares its own with. */
const earlierIn = ({ previous }: Report, question: PlainQuestion): Promise<PlainAnswer> | null => {
  if (!previous) return null;
  const { period: _, granularity: __, ...rest } = question;
  return answerPlainly(depsOf(core).pool, { ...rest, from: previous.from, to: previous.to }, now);
};

async function exportedClicks(question: PlainQuestion): Promise<number> {
  const { granularity: _, group_by: __, compare: ___, of: ____, ...rest } = question;
  const { body } = (await analytics.export({ ...rest, format: "json" } as object)) as FileReply;
  let text = "";
  for await (const piece of body) text += piece;
  return (JSON.parse(text) as unknown[]).length;
}

async function askMany(count: number): Promise<void> {
  const { pool } = depsOf(core);
  for (let asked = 0; asked < count; asked++) {
    const question = randomQuestion();
    const report = await reportOn(question);
    const plain = await answerPlainly(pool, question, now);
    const earlier = await earlierIn(report, question);
    const previous = earlier && { clicks: earlier.clicks, visitors: earlier.visitors };
    const { variant: _, ...plainLists } = plain.lists;
    const expected = {
      ...plain,
      from: Date.parse(plain.from),
      to: Date.parse(plain.to),
      lists: plainLists,
      groups: question.group_by ? groupsOf(plain, earlier) : [],
    };
    expect({ question, ...shown(report, question) }).toEqual({ question, ...expected });
    expect(report.previous ?? null).toEqual(question.compare ? expect.objectContaining(previous) : null);
    if (asked % 5 === 0 && question.of === undefined)
      expect(await exportedClicks(question)).toBe(plain.clicks);
    const onTags = question.group_by?.includes("tag") ?? false;
    if (question.group_by && !onTags)
      expect(report.groups?.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(report.clicks);
    expect(report.bots_by.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(report.bots);
  }
}

describe("random questions have the answers of plain SQL", () => {
  it("some, of rows and blocks", () => askMany(80));
  it("some, of blocks", async () => {
    await packClicks(core, now + day);
    const { rows } = await depsOf(core).pool.query(
      "select (select count(*) from clicks)::int as rows, (select sum(clicks) from click_blocks)::int as packed",
    );
    expect(rows).toEqual([{ rows: 0, packed: 1200 }]);
    await askMany(60);
  });
  it("2,000", { tags: ["long"], timeout: 900_000 }, () => askMany(2000));
});

describe("sums, with and without ClickHouse,", () => {
  const { pool, clickhouse, shortHost } = depsOf(core);
  const scope = accountScope(owner.account.id);
  const window = { from: now - 400 * day, to: now };
  const sums = async (groupings: Key[][], most = 1000) => {
    const { copy } = await sourceOf({ clickhouse });
    const limit = { most, refusal: issue("group_by", "too_much_data", "too many") };
    return inSnapshot(pool, async (database) => {
      const selection = await selectionOf(database, scope, [], shortHost.host, copy);
      return countBlocks(selection, window, groupings, { limit });
    });
  };

  it("are refused if there are more than allowed", async () => {
    const groupings: Key[][] = [["bot"], ["link"]];
    expect((await sums(groupings, 4)).map(({ length }) => length)).toEqual([1, 4]);
    expect(await rejection(sums(groupings, 3))).toEqual({
      code: "BAD_REQUEST",
      message: "group_by: too many",
    });
  });

  it("are one for values that are counted as the same", async () => {
    const [found = []] = await sums([["client"]]);
    const ids = found.map(({ values: [id] }) => id as number);
    expect(ids.length).toBeGreaterThan(2);
    const [last = 0, ...others] = ids.toReversed();
    const other = Math.max(...ids) + 1;
    const values = new Map(others.map((id) => [id, other]));
    const clicks = found.map((sum) => sum.clicks);
    const [mapped = []] = await sums([[{ column: "client", values }]]);
    const byValue = new Map(mapped.map((sum) => [sum.values[0], sum.clicks]));
    expect(byValue.get(last)).toBe(clicks.at(-1));
    expect(byValue.get(other)).toBe(clicks.slice(0, -1).reduce((sum, count) => sum + count, 0));
    expect(mapped).toHaveLength(2);
  });
});

describe("groups", () => {
  it("compare links, tags and windows in one answer", async () => {
    const [first, second] = links as unknown as [Link, Link];
    const question = { period: "30d" as const, compare: true, link_id: [first.id, second.id] };
    const { groups, other_groups, clicks, previous } = await analytics.overview({
      ...question,
      group_by: "link_id",
    });
    expect(groups?.map(({ link_id }) => link_id).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(groups?.reduce((sum, group) => sum + group.clicks, 0)).toBe(clicks);
    expect(groups?.reduce((sum, group) => sum + (group.previous?.clicks ?? 0), 0)).toBe(previous?.clicks);
    expect(other_groups).toEqual({ groups: 0, clicks: 0, visitors: 0 });
    const tagged = await analytics.overview({ ...question, group_by: ["tag"] });
    // The first link has two tags, and counts for both.
    expect(tagged.groups?.map(({ tag }) => tag)).toEqual(["a", "B"]);
    expect(tagged.groups?.[0]?.clicks).toBe(clicks);
  });

  it("past the last one that is listed are added up", async () => {
    const other = await actor("pro");
    const { id } = await core.caller(other).links.create({ url: "https://example.com/" });
    await Promise.all(
      Array.from({ length: 510 }, (_, at) =>
        core.clicks.record(
          clickOn(id, {
            time: now - day,
            referrer: `https://host${at}.example/`,
            address: `10.1.0.${at % 250}`,
          }),
        ),
      ),
    );
    const report = await core.caller(other).analytics.overview({ group_by: ["referrer"], tz: "UTC" });
    expect(report.groups).toHaveLength(500);
    expect(report.other_groups).toMatchObject({ groups: 10, clicks: 10 });
    const sum = report.groups?.reduce((visitors, group) => visitors + group.visitors, 0) ?? 0;
    expect(sum + (report.other_groups?.visitors ?? 0)).toBe(report.visitors);
  });

  it.each([["town"], ["country,device,os"], [["country", "device", "os"]], [""], ["country,"], [[]]])(
    "%j is refused",
    async (group_by) => {
      expect(await rejection(analytics.overview({ group_by }))).toEqual({
        code: "BAD_REQUEST",
        message: expect.stringMatching(
          /^group_by: must be one or two of country, continent, region, city, device/,
        ),
      });
    },
  );

  it("are null if they are not asked for", async () => {
    expect(await analytics.overview({})).toMatchObject({ groups: null, other_groups: null });
  });
});
