import { expect, it } from "vitest";
import { reportLine } from "../src/tools/texts.ts";
import { startApp, textOf } from "./app.ts";
import { seedAccount } from "./tool-samples.ts";

const app = await startApp();
const { key, link } = await seedAccount(app);
const client = await app.connect(key);
const ask = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

/** What an answer has of REST's report without `fields`; the lists of this account are short. */
const usual = ({ channels: _channels, bots_by: _bots, ...data }: Record<string, unknown>) => data;

it("covers the whole account without an id, as REST's overview does", async () => {
  for (const period of ["7d", "30d", "1y"]) {
    const answer = await ask("get_analytics", { period });
    const { data } = await app.rest(key, "GET", `/v1/analytics/overview?period=${period}`);
    expect(answer.structuredContent).toEqual(usual(data));
    expect(data).toMatchObject({ clicks: 1, visitors: 1, bots: 1, top_links: [{ id: link.id, clicks: 1 }] });
    expect(textOf(answer)).toMatch(
      /^From .+Z to .+Z: 1 click by 1 visitor, 1 bot, top country .+, top referrer \(direct\)$/,
    );
  }
});

it("gives the selected fields in full, and no others", async () => {
  const fields = ["clicks", "bots_by", "channels"];
  const answer = await ask("get_analytics", { fields });
  expect(answer.structuredContent).toEqual({
    clicks: 1,
    bots_by: [{ bot: "tool", rule: "curl", clicks: 1 }],
    channels: [{ channel: "direct", clicks: 1 }],
  });
});

it("names the top referrer even if most clicks came from others", () => {
  const referrers = [{ referrer: "(other)" }, { referrer: "news.example" }];
  const line = reportLine({ clicks: 9, visitors: 9, bots: 0, from: "a", to: "b", countries: [], referrers });
  expect(line).toBe("From a to b: 9 clicks by 9 visitors, 0 bots, top referrer news.example");
});

it("looks back 30 days unless told otherwise", async () => {
  for (const args of [{}, { id: link.slug }]) {
    const { structuredContent } = await ask("get_analytics", args);
    expect(structuredContent).toMatchObject({ period: "30d", granularity: "day" });
    expect(structuredContent?.["timeseries"]).toHaveLength(30);
  }
});

it("covers one link by its slug and by its short URL, and names it", async () => {
  for (const id of [link.slug, link.shortUrl]) {
    const { structuredContent } = await ask("get_analytics", { id });
    expect(structuredContent).toMatchObject({ link: { id: link.id }, clicks: 1, variants: [] });
  }
});

it.each(["24h", "90d", "all", "", 7])("refuses the period %j and names the valid ones", async (period) => {
  const answer = await ask("get_analytics", { period });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toBe("period: must be one of 7d, 30d, 1y");
});

it("gives every day between the dates, with zeros", async () => {
  const { structuredContent } = await ask("get_link_stats_by_period", {
    id: link.shortUrl,
    from: "2024-02-28",
    to: "2024-03-01",
  });
  expect(structuredContent).toEqual({
    days: ["2024-02-28", "2024-02-29", "2024-03-01"].map((date) => ({ date, clicks: 0, visitors: 0 })),
  });
});

it.each([
  [{ from: "2026-02-30", to: "2026-03-01" }, /^from: must be a date/],
  [{ from: "2026-03-02", to: "2026-03-01" }, /^to: must not be before from/],
  [{ from: "2025-01-01", to: "2026-01-02" }, /^to: the window must have at most 366 days, not 367/],
  [{ from: "2026-03-01" }, /^to: /],
])("refuses %j and says why", async (dates, message) => {
  const answer = await ask("get_link_stats_by_period", { id: link.id, ...dates });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toMatch(message);
});

it("has the analytics of a link as a resource", async () => {
  const reader = await app.newClient(key);
  const { contents } = await reader.readResource({ uri: `analytics://${link.slug}` });
  const { data } = await app.rest(key, "GET", `/v1/analytics/link/${link.id}`);
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(usual(data));
});
