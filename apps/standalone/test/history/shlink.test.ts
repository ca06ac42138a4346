import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, it } from "vitest";
import { openShlink } from "../../src/history/shlink/source.ts";
import { historyCore, never, sumOf } from "./helpers.ts";
import { startShlink, type StoredShortUrl, type StoredVisit } from "./shlink-server.ts";

const { core, caller, run, linkOf, close } = await historyCore();
afterAll(close);

const agents = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
];
const berlin = {
  countryCode: "DE",
  countryName: "Germany",
  regionName: "Land Berlin",
  cityName: "Berlin",
  latitude: 52.5,
  longitude: 13.4,
  timezone: "Europe/Berlin",
  isEmpty: false,
};

/** The visit with this number: one every 50 minutes since 2021. */
const visit = (at: number, more: Partial<StoredVisit> = {}): StoredVisit => ({
  referer: at % 3 === 0 ? "https://m.facebook.com/" : "",
  date: new Date(Date.UTC(2021, 0, 1) + at * 3_000_000).toISOString().replace(".000Z", "+00:00"),
  userAgent: agents[at % agents.length] ?? "",
  potentialBot: false,
  visitLocation: at % 2 === 0 ? berlin : null,
  ...more,
});
const visits = (count: number, from = 0) => Array.from({ length: count }, (_, at) => visit(from + at));

let count = 0;
const stored = (more: Partial<StoredShortUrl> = {}): StoredShortUrl => {
  count += 1;
  return { shortCode: `sh${count}x`, longUrl: `https://example.com/${count}`, visits: [], ...more };
};
const open = (url: string, more = {}) => openShlink({ url, key: "secret", interrupt: never, ...more });

describe("an import from Shlink", () => {
  it("creates the links and counts every visit once, in analytics under its own date", async () => {
    const many = stored({
      title: "Launch",
      dateCreated: "2020-12-31T10:00:00+02:00",
      meta: { validUntil: "2099-01-01T00:00:00+00:00" },
      visits: [
        ...visits(2500),
        visit(2500, { potentialBot: true }),
        visit(2501, { userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }),
      ],
    });
    const few = stored({ visits: visits(3) });
    const { url } = await startShlink([many, few, stored()]);
    const report = await run(open(url));
    expect(report).toMatchObject({
      source: "shlink",
      links: { found: 3, created: 3, exists: 0, refused: 0 },
      visits: { found: 2505, clicks: 2503, bots: 2, before: 0, lost: {} },
      imported_clicks: 0,
    });

    const link = await linkOf(many.shortCode);
    expect(link).toMatchObject({
      destination: many.longUrl,
      title: "Launch",
      created_at: "2020-12-31T08:00:00.000Z",
      expires_at: "2099-01-01T00:00:00.000Z",
      click_count: 2500,
      imported_clicks: 0,
      last_click_at: new Date(Date.UTC(2021, 0, 1) + 2499 * 3_000_000).toISOString(),
    });
    const byDay = Map.groupBy(visits(2500), ({ date }) => date.slice(0, 10));
    const { clicks, bots, timeseries, countries, referrers } = await caller.analytics.link({
      id: link.id,
      from: "2021-01-01T00:00:00Z",
      to: "2021-03-29T00:00:00Z",
      granularity: "day",
    });
    expect([clicks, bots]).toEqual([2500, 2]);
    expect(timeseries.map((row) => [row.start.slice(0, 10), row.clicks])).toEqual(
      [...byDay].map(([day, of]) => [day, of.length]),
    );
    expect(countries).toContainEqual({ country: "DE", clicks: 1250 });
    expect(referrers).toContainEqual({ referrer: "facebook.com", clicks: 834 });
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], repaired: 0 });
  });

  it("adds only what is new when it is run again, whatever moved meanwhile", async () => {
    const shortUrl = stored({ visits: visits(1500) });
    const { url, state } = await startShlink([shortUrl]);
    await run(open(url));
    state.requests.length = 0;
    expect(await run(open(url))).toMatchObject({
      links: { found: 1, created: 0, exists: 1 },
      visits: { found: 1500, clicks: 0, before: 1500 },
    });
    expect(state.requests.filter((path) => path.includes("sh") && path.includes("/visits?"))).toHaveLength(1);
    shortUrl.visits.push(...visits(1200, 1500));
    expect(await run(open(url))).toMatchObject({ visits: { found: 2700, clicks: 1200, before: 1500 } });
    expect((await linkOf(shortUrl.shortCode)).click_count).toBe(2700);
  });

  it("that was interrupted between two portions is exact when it is run again", async () => {
    const shortUrls = [stored({ visits: visits(1100) }), stored({ visits: visits(300) })];
    const { url } = await startShlink(shortUrls);
    let portions = 0;
    const addVisits: typeof core.history.addVisits = async (...args) => {
      if (++portions === 3) throw new Error("killed");
      return core.history.addVisits(...args);
    };
    const dying = { ...core, history: { ...core.history, addVisits } };
    await expect(run(open(url), { core: dying, visitsAtOnce: 400 })).rejects.toThrow("killed");
    const [first, second] = shortUrls.map(({ shortCode }) => shortCode);
    const done = (await linkOf(first ?? "")).click_count;
    expect(done).toBeGreaterThan(800);
    expect(done).toBeLessThan(1100);
    expect(await run(open(url), { visitsAtOnce: 400 })).toMatchObject({
      visits: { found: 1400, clicks: 1400 - done, before: done, lost: {} },
    });
    expect((await linkOf(first ?? "")).click_count).toBe(1100);
    expect((await linkOf(second ?? "")).click_count).toBe(300);
    // Three browsers at two places: a day that was split would have its visitors twice.
    const { visitors, timeseries } = await caller.analytics.link({
      id: (await linkOf(first ?? "")).id,
      from: "2021-01-01T00:00:00Z",
      to: "2021-02-08T00:00:00Z",
      granularity: "day",
    });
    expect(timeseries.map((day) => day.visitors)).toEqual(timeseries.map(() => 6));
    expect(visitors).toBe(6 * timeseries.length);
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  });

  it("does not mix in visits if Shlink has deleted those of the last import", async () => {
    const shortUrl = stored({ visits: visits(20) });
    const { url } = await startShlink([shortUrl]);
    await run(open(url));
    shortUrl.visits = visits(30, 5000);
    const report = await run(open(url));
    expect(report.visits).toMatchObject({ found: 30, clicks: 0, before: 20 });
    expect(sumOf(report.visits)).toBe(30);
    shortUrl.visits = visits(3);
    expect((await run(open(url))).visits).toMatchObject({ found: 3, clicks: 0, before: 3 });
    expect((await linkOf(shortUrl.shortCode)).click_count).toBe(20);
  });

  it("names each link that is not taken over, and counts its visits as lost", async () => {
    const shortUrls = [
      stored({ shortCode: "a/b", visits: visits(4) }),
      stored({ shortCode: "with.dot" }),
      stored({
        visits: visits(2),
        redirectRules: [
          {
            longUrl: "https://example.com/berlin",
            priority: 1,
            conditions: [{ type: "geolocation-city-name", matchKey: null, matchValue: "Berlin" }],
          },
        ],
      }),
      stored({ domain: "other.example" }),
      stored({ longUrl: "ftp://example.com/" }),
      stored({ visits: [visit(0), visit(1, { date: "1969-12-31T23:59:59+00:00" })] }),
    ];
    const { url } = await startShlink(shortUrls, 9);
    const result = join(await tempFolder(), "result.csv");
    let said = "";
    const foreseen = await run(open(url), { dryRun: true, say: (text) => (said += text) });
    expect(said).toMatch(
      /^Shlink at http.*: 6 links and 8 visits. Not imported:\n- 9 visits to the start page/,
    );
    expect(said).toMatch(/\/with\.dot: slug: may have/);
    const report = await run(open(url), { result });
    expect(report).toMatchObject({
      links: { found: 6, created: 1, refused: 5 },
      visits: {
        found: 8,
        clicks: 1,
        lost: { "of links that were refused": 6, "with an impossible time": 1 },
      },
    });
    expect(foreseen.links).toEqual(report.links);
    const rows = parse<Record<string, string>>(await readFile(result, "utf8"), { columns: true });
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ["refused", expect.stringMatching(/^slug: /)],
      ["refused", expect.stringMatching(/^slug: /)],
      ["refused", expect.stringMatching(/redirect rule by city/)],
      ["refused", expect.stringMatching(/^domain: must be a verified custom domain of this account/)],
      ["refused", expect.stringMatching(/^url: /)],
      ["created", ""],
    ]);
  });

  it("takes over redirect rules, in the order of their priority, and that the query is forwarded", async () => {
    const rule = (
      priority: number,
      ...conditions: [type: string, matchValue: string | null, matchKey?: string][]
    ) => ({
      longUrl: `https://example.com/rule-${priority}`,
      priority,
      conditions: conditions.map(([type, matchValue, matchKey = null]) => ({ type, matchKey, matchValue })),
    });
    const shortUrl = stored({
      forwardQuery: true,
      redirectRules: [
        rule(3, ["ip-address", "11.22.*.*"], ["geolocation-country-code", "de"], ["browser", "firefox"]),
        rule(1, ["device", "android"], ["language", "en_US"]),
        rule(
          2,
          ["query-param", "bar", "foo"],
          ["any-value-query-param", null, "q"],
          ["valueless-query-param", null, "v"],
        ),
        rule(
          4,
          ["device", "mobile"],
          ["after-date", "2030-01-01T00:00:00+01:00"],
          ["before-date", "2031-01-01T00:00:00+00:00"],
        ),
        rule(5),
      ],
    });
    const { url } = await startShlink([shortUrl]);
    expect(await run(open(url))).toMatchObject({ links: { created: 1 } });
    expect(await linkOf(shortUrl.shortCode)).toMatchObject({
      forward_query: "override",
      rules: [
        { url: "https://example.com/rule-1", when: { os: ["Android"], language: ["en-US"] } },
        {
          url: "https://example.com/rule-2",
          when: { query: [{ name: "foo", value: "bar" }, { name: "q" }, { name: "v", value: "" }] },
        },
        {
          url: "https://example.com/rule-3",
          when: { ip: ["11.22.0.0/16"], country: ["DE"], browser: ["Firefox"] },
        },
        {
          url: "https://example.com/rule-4",
          when: {
            device: ["mobile", "tablet"],
            after: "2029-12-31T23:00:00.000Z",
            before: "2031-01-01T00:00:00.000Z",
          },
        },
      ],
    });
  });

  it("takes over the rules of Shlink 4.0, which does not say whether there are any", async () => {
    const conditions = [{ type: "device", matchKey: null, matchValue: "ios" }];
    const rule = { longUrl: "https://example.com/ios", priority: 1, conditions };
    const [ruled, plain] = [stored({ redirectRules: [rule] }), stored()];
    const { url } = await startShlink([ruled, plain], 0, "4.2");
    expect(await run(open(url))).toMatchObject({ links: { created: 2 } });
    expect((await linkOf(ruled.shortCode)).rules).toMatchObject([
      { url: rule.longUrl, when: { os: ["iOS"] } },
    ]);
    expect((await linkOf(plain.shortCode)).rules).toEqual([]);
  });

  it("takes over destinations by device from Shlink 3 as rules", async () => {
    const [android, desktop] = ["https://example.com/android", "https://example.com/desktop"];
    const ruled = stored({ deviceLongUrls: { android, ios: null, desktop } });
    const plain = stored({ deviceLongUrls: { android: null, ios: null, desktop: null } });
    const { url } = await startShlink([ruled, plain, stored()], 0, "3");
    expect(await run(open(url))).toMatchObject({ links: { created: 3 } });
    expect((await linkOf(ruled.shortCode)).rules).toMatchObject([
      { url: android, when: { os: ["Android"] } },
      { url: desktop, when: { device: ["desktop"] } },
    ]);
    expect((await linkOf(plain.shortCode)).rules).toEqual([]);
  });

  it("takes over tags, the time in which a short URL is valid, and its maximum of visits", async () => {
    const shortUrl = stored({
      tags: ["launch", "x".repeat(51), "Zoë"],
      meta: {
        validSince: "2098-01-01T00:00:00+01:00",
        validUntil: "2099-01-01T00:00:00+00:00",
        maxVisits: 5,
      },
      visits: visits(3),
    });
    const { url } = await startShlink([shortUrl]);
    expect(await run(open(url))).toMatchObject({ links: { created: 1 }, visits: { clicks: 3 } });
    expect(await linkOf(shortUrl.shortCode)).toMatchObject({
      tags: ["launch", "Zoë"],
      starts_at: "2097-12-31T23:00:00.000Z",
      expires_at: "2099-01-01T00:00:00.000Z",
      click_limit: 5,
      click_count: 3,
    });
  });

  it("leaves no more visits of a maximum than there are, and none where it is reached", async () => {
    const bot = visit(0, { potentialBot: true });
    const left = stored({ meta: { maxVisits: 5 }, visits: [bot, ...visits(2, 1)] });
    const reached = stored({ meta: { maxVisits: 3 }, visits: [bot, ...visits(2, 1)] });
    const { url } = await startShlink([left, reached]);
    expect(await run(open(url))).toMatchObject({ links: { created: 2 }, visits: { clicks: 4, bots: 2 } });
    expect(await linkOf(left.shortCode)).toMatchObject({ click_limit: 4, click_count: 2, is_active: 1 });
    expect(await linkOf(reached.shortCode)).toMatchObject({ click_count: 2, is_active: 0 });
  });

  it("waits as long as Shlink asks, and goes on after a lost connection", async () => {
    const { url, state } = await startShlink([stored({ visits: visits(2) })]);
    const source = open(url);
    await source.survey();
    Object.assign(state, { failing: 2, retryAfter: 0 });
    expect(await run(source)).toMatchObject({ visits: { clicks: 2 } });
  });

  it.each([
    ["a wrong key", { key: "wrong" }, /refuses the key/],
    ["an address that is not Shlink's", {}, /answers 404: is this Shlink/],
    ["an address where nothing is", {}, /cannot be reached/],
    ["no address", {}, /--url must be/],
  ])("says in one sentence what is wrong with %s", async (name, more, message) => {
    const { url } = await startShlink([]);
    const addresses: Record<string, string> = {
      "an address that is not Shlink's": `${url}/elsewhere`,
      "an address where nothing is": "http://127.0.0.1:1",
      "no address": "s.example",
    };
    await expect((async () => run(open(addresses[name] ?? url, more)))()).rejects.toThrow(message);
  });
});
