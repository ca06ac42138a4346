import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { until } from "@terse/testkit";
import { clickOn, url } from "../helpers.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-realtime-"));
const { core, actor, close } = await createTestCore({ clickLog: { folder } });
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

it("the feed has the last twenty clicks without bots, newest first, soon after they happen", async () => {
  core.clicks.startDrain();
  const owner = await actor("pro");
  const { links, analytics } = core.caller(owner);
  const link = await links.create({ url, slug: "käse" });
  const start = Date.now() - 60_000;
  for (let at = 0; at < 25; at++) {
    await core.clicks.record(clickOn(link.id, { time: start + at * 1000, country: "NP" }));
    await core.clicks.record(clickOn(link.id, { time: start + at * 1000 + 1, user_agent: "curl/8.5.0" }));
  }
  const last = new Date(start + 24_000).toISOString();
  await until(async () => (await analytics.realtime())[0]?.timestamp === last);
  const feed = await analytics.realtime();
  expect(feed.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    Array.from({ length: 20 }, (_, at) => start + (24 - at) * 1000),
  );
  expect(new Set(feed.map(({ id }) => id)).size).toBe(20);
  expect(feed[0]).toEqual({
    id: expect.stringMatching(/^\d+$/),
    timestamp: last,
    link_id: link.id,
    slug: "käse",
    shortUrl: link.shortUrl,
    country: "NP",
    device: "desktop",
    browser: "Firefox",
    os: "Linux",
    referrer: "(direct)",
    channel: "direct",
  });
  expect(await core.caller(await actor("pro")).analytics.realtime()).toEqual([]);
});
