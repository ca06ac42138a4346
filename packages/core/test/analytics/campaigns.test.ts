import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filterFields } from "../../src/analytics/filter.input.ts";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, depsOf, rejection } from "../helpers.ts";

/** Then a change of the database alone changes no answer. */

const now = Date.parse("2026-11-21T12:34:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const owner = await actor("pro");
const { analytics, links } = core.caller(owner);
const { id } = await links.create({ url: "https://example.com/" });

const utm = (text: string) => ({ campaign: `${text}\n` });
const record = (more: object) => core.clicks.record(clickOn(id, { time: now - 60_000, ...more }));

beforeAll(async () => {
  await record(utm("utm_source=news&utm_medium=email"));
  await record(utm("utm_source=news&utm_medium=web"));
  await record(utm("utm_source=!site"));
  await record({});
  await record({ user_agent: "curl/8.5.0", ...utm("utm_source=news") });
  await record({ user_agent: "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await record({
    user_agent: "Googlebot/2.1 (+http://www.google.com/bot.html)",
    time: now - 30 * 86_400_000,
  });
  await record({ flags: 1 });
});

async function exported(question: object): Promise<Record<string, unknown>[]> {
  const { body } = (await analytics.export({ ...question, format: "json" })) as FileReply;
  let text = "";
  for await (const piece of body) text += piece;
  return JSON.parse(text) as Record<string, unknown>[];
}

describe("campaigns", () => {
  it("are filtered and grouped by, and those of bots do not count", async () => {
    const news = await analytics.overview({ utm_source: "news", group_by: "utm_medium" });
    expect(news.clicks).toBe(2);
    expect(news.groups).toMatchObject([
      { utm_medium: "email", clicks: 1 },
      { utm_medium: "web", clicks: 1 },
    ]);
    expect(await analytics.overview({ utm_source: ["(none)", "news"], utm_medium: "!web" })).toMatchObject({
      clicks: 2,
    });
    expect(await analytics.overview({ utm_source: "NEWS" })).toMatchObject({ clicks: 0 });
  });

  it("that begin with an exclamation mark have a backslash before it", async () => {
    expect(await analytics.overview({ utm_source: "!site" })).toMatchObject({ clicks: 4 });
    expect(await analytics.overview({ utm_source: "\\!site" })).toMatchObject({ clicks: 1 });
    expect(await analytics.overview({ utm_source: "!\\!site" })).toMatchObject({ clicks: 3 });
    expect(filterFields.utm_source.parse(["\\\\!a", "\\a"])).toEqual({ is: ["\\!a", "\\a"], not: [] });
  });

  it("are found as they are stored: without spaces around them, and not longer", () => {
    const long = "x".repeat(150);
    expect(filterFields.utm_source.parse([" a ", long, "(None)"])).toEqual({
      is: ["", "a", long.slice(0, 100)],
      not: [],
    });
  });

  it("are in the export", async () => {
    const rows = await exported({});
    expect(rows.map(({ utm_source, utm_medium, bot }) => [utm_source, utm_medium, bot])).toEqual([
      ["news", "email", ""],
      ["news", "web", ""],
      ["!site", "", ""],
      ["", "", ""],
    ]);
  });

  it("past the thousandth of a link and day are one", async () => {
    const other = await links.create({ url: "https://example.com/many" });
    const click = (name: number) =>
      core.clicks.record(clickOn(other.id, { time: now - 60_000, ...utm(`utm_campaign=c${name}`) }));
    const names = Array.from({ length: 1000 }, (_, at) => at);
    await Promise.all(names.slice(0, 990).map(click));
    await Promise.all([...names.slice(980), 2000, 2001, 2002].map(click));
    await click(5);
    await click(3000);
    const { clicks } = await analytics.overview({ link_id: other.id, utm_campaign: "(other)" });
    expect(clicks).toBe(4);
    const known = await analytics.overview({ link_id: other.id, utm_campaign: "c5" });
    expect(known.clicks).toBe(2);
    const { pool } = depsOf(core);
    const { rows } = await pool.query(
      "select count(*)::int as campaigns from link_campaigns where link_id = $1",
      [other.id],
    );
    expect(rows).toEqual([{ campaigns: 1000 }]);
  });
});

describe("bots", () => {
  const today = [
    { bot: "search", rule: "Google", clicks: 1 },
    { bot: "tool", rule: "HEAD request", clicks: 1 },
    { bot: "tool", rule: "curl", clicks: 1 },
  ];

  it("are listed with what made them bots, in every window", async () => {
    const whole = { from: "2026-10-01", to: "2026-11-21", link_id: id };
    expect((await analytics.overview(whole)).bots_by).toEqual([
      { ...today[0], clicks: 2 },
      ...today.slice(1),
    ]);
    for (const window of [{ period: "24h" as const }, { period: "7d" as const, tz: "Asia/Kathmandu" }]) {
      expect(await analytics.overview(window)).toMatchObject({ bots: 3, bots_by: today });
      expect(await analytics.link({ id, ...window })).toMatchObject({ bots: 3, bots_by: today });
      expect(await analytics.overview({ ...window, referrer: "(direct)" })).toMatchObject({ bots_by: today });
    }
  });

  it("count instead of people with a filter for them", async () => {
    const report = await analytics.overview({ bot: "tool", group_by: "bot" });
    expect(report).toMatchObject({ clicks: 2, visitors: 0, bots: 2, groups: [{ bot: "tool", clicks: 2 }] });
    expect(await exported({ bot: "tool" })).toMatchObject([{ bot: "tool" }, { bot: "tool" }]);
    expect(await exported({ bot: "!any" })).toEqual([]);
    expect(await analytics.realtime({ bot: "any" })).toHaveLength(4);
  });

  it("cannot be grouped by among people", async () => {
    expect(await rejection(analytics.overview({ group_by: "bot" }))).toEqual({
      code: "BAD_REQUEST",
      message: "group_by: bot needs the filter bot, such as bot=any",
    });
  });

  it("and their rollups are made again from raw clicks", async () => {
    const { pool } = depsOf(core);
    const tables = ["link_bots", "account_bots"];
    const before = await analytics.overview({ period: "1y", tz: "UTC" });
    for (const table of tables) await pool.query(`update ${table} set bots = bots + 7`);
    const { differences } = await core.clicks.rebuild();
    expect(new Set(differences.map(({ table }) => table))).toEqual(new Set(tables));
    expect((await analytics.overview({ period: "1y", tz: "UTC" })).bots_by).toEqual(before.bots_by);
    expect(await core.clicks.rebuild()).toMatchObject({ repaired: 0 });
  });
});
