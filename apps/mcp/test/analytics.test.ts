import { expect, it } from "vitest";
import { reportLine } from "../src/tools/texts.ts";
import { startApp } from "./app.ts";
import { seedAccount } from "./tool-samples.ts";

const app = await startApp();
const { key, link } = await seedAccount(app);
const client = await app.connect(key);
const ask = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

/** What an answer has of REST's report without `fields`; the lists of this account are short. */
const usual = ({ channels: _channels, bots_by: _bots, ...data }: Record<string, unknown>) => data;

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

it("has the analytics of a link as a resource", async () => {
  const reader = await app.newClient(key);
  const { contents } = await reader.readResource({ uri: `analytics://${link.slug}` });
  const { data } = await app.rest(key, "GET", `/v1/analytics/link/${link.id}`);
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(usual(data));
});
