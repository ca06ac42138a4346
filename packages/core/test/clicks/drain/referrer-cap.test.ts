import { afterAll, describe, expect, it } from "vitest";
import type { FileReply, RawClick } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { tempFolder } from "@terse/testkit";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, logClicks, number } from "./helpers.ts";

const now = Date.parse("2026-07-10T12:00:00Z");
const yesterday = now - 86_400_000;
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const owner = await actor("pro");
const { links } = core.caller(owner);
const newLink = async () => (await links.create({ url })).id;

const from = (id: string, host: string, more: Partial<RawClick> = {}) =>
  clickOn(id, { time: now, referrer: host && `https://${host}/`, ...more });
/** Clicks with `count` made-up referrers, one each. */
const flood = (id: string, count: number, name = "made-up", more: Partial<RawClick> = {}) =>
  Array.from({ length: count }, (_, at) => from(id, `${name}-${at}.example`, more));

/** Counts each group of clicks on another node. */
async function drained(...groups: RawClick[][]): Promise<void> {
  for (const clicks of groups) {
    const folder = await tempFolder();
    await logClicks(folder, clicks, { perFrame: 500, segmentBytes: 1e7 });
    await drainOf(core, folder).once();
  }
}

/** A link's clicks by referrer on a day. */
async function referrersOf(id: string, time = now): Promise<Map<string, number>> {
  const { rows } = await depsOf(core).pool.query<{ value: string; clicks: number }>(
    `select value, clicks::int from link_day_values
     where link_id = $1 and dimension = 'referrer' and day = $2 order by value`,
    [id, new Date(time).toISOString().slice(0, 10)],
  );
  return new Map(rows.map(({ value, clicks }) => [value, clicks]));
}

/** What batches should store, counted in the simplest way. */
function naive(...batches: RawClick[][]): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, clicks: number) => sums.set(name, (sums.get(name) ?? 0) + clicks);
  for (const batch of batches) {
    const counts = new Map<string, number>();
    for (const { referrer } of batch) {
      const host = referrer.slice("https://".length, -1);
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    const ranked = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    for (const [host, clicks] of ranked) {
      const named = [...sums.keys()].filter((name) => name !== "" && name !== "(other)").length;
      const isKnown = host === "" || sums.has(host);
      add(isKnown || named < 1000 ? host : "(other)", clicks);
    }
  }
  return new Map([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe("the referrers of a link on a day", () => {
  it("are all kept apart up to a thousand", async () => {
    const id = await newLink();
    const clicks = [...flood(id, 1000), from(id, ""), from(id, "made-up-7.example")];
    await drained(clicks);
    expect(await referrersOf(id)).toEqual(naive(clicks));
    expect((await referrersOf(id)).has("(other)")).toBe(false);
  });

  it("after a thousand are counted as one, and every click counts", async () => {
    const id = await newLink();
    const usual = ["", "news.example", "news.example", "search.example"].map((host) => from(id, host));
    const flooded = [...usual, ...flood(id, 3000), ...usual, from(id, "blog.example")];
    const later = [...flood(id, 500, "later"), ...usual, ...usual];
    const bots = flood(id, 50, "bot", { user_agent: "curl/8.5.0" });
    await drained(usual, [...flooded, ...bots], later);
    const stored = await referrersOf(id);
    expect(stored).toEqual(naive(usual, flooded, later));
    expect(stored.size).toBe(1002);
    const clicks = usual.length + flooded.length + later.length;
    expect(await countsOf(core, id)).toEqual(exactly(clicks, bots.length));
    expect([...stored.values()].reduce((sum, count) => sum + count, 0)).toBe(clicks);
    expect(stored.get("news.example")).toBe(10);
  });

  it("can be a thousand others the next day, and on another link", async () => {
    const [id, other] = [await newLink(), await newLink()];
    const before = flood(id, 1500, "made-up", { time: yesterday });
    await drained([...before, ...flood(id, 20, "new")], flood(other, 20, "new"));
    expect(await referrersOf(id, yesterday)).toEqual(naive(before));
    expect(await referrersOf(id)).toEqual(naive(flood(id, 20, "new")));
    expect(await referrersOf(other)).toEqual(naive(flood(other, 20, "new")));
  });

  it("are the same in raw clicks, the export, the real-time feed and a rebuild", async () => {
    const visitor = await actor("pro");
    const own = core.caller(visitor);
    const { id } = await own.links.create({ url });
    await drained(flood(id, 1000, "first"), flood(id, 30, "later", { time: now + 1 }));
    const feed = await own.analytics.realtime();
    expect(new Set(feed.map(({ referrer }) => referrer))).toEqual(new Set(["(other)"]));
    const exported = await textOf(await own.analytics.export({ period: "24h", format: "csv" }));
    expect(exported.match(/\(other\)/g)).toHaveLength(30);
    const { differences } = await core.clicks.rebuild();
    expect(differences).toEqual([]);
  });

  it("are in the dictionary only if they are kept apart", async () => {
    const id = await newLink();
    await drained(flood(id, 1000, "known"), flood(id, 40, "surplus"), [
      from(id, "said-by-a-bot.example", { user_agent: "curl/8.5.0" }),
    ]);
    const kept = (name: string) =>
      number(core, "select count(*) from click_referrers where referrer like $1", [`${name}%`]);
    expect([await kept("known"), await kept("surplus"), await kept("said-by-a-bot")]).toEqual([1000, 0, 0]);
  });
});

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}
