import { browserUserAgent } from "@terse/testkit";
import { expect, it } from "vitest";
import { startApp } from "./app.ts";
import { tokensOf } from "./tokens.ts";

const app = await startApp();
const { key, account } = await app.key("pro");
const caller = app.core.caller({ kind: "account", account, credential: "internal" });

/** An account as many are: links with names, tags and destinations of ordinary length, and clicks from many places */
const links = [];
for (let n = 0; n < 25; n++) {
  const url = `https://www.example.com/shop/products/${1000 + n}?ref=autumn-newsletter&page=${n}`;
  links.push(
    await caller.links.create({ url, title: `Autumn sale, offer number ${n + 1}`, tags: ["autumn"] }),
  );
}
for (let n = 0; n < 3; n++) {
  const page = ["Blog", "Shop", "Newsletter", "Talks", "Contact"];
  await caller.buckets.create({
    name: `Page ${n}`,
    links: page.map((title) => ({ title, url: `https://www.example.com/${title}/${n}` })),
  });
}
const from = [
  "news.example",
  "search.example",
  "mail.example",
  "social.example",
  "forum.example",
  "wiki.example",
];
for (let n = 0; n < 60; n++) {
  await app.core.clicks.record({
    link_id: links[n % 12]?.id ?? "",
    user_agent: browserUserAgent,
    address: `192.0.2.${n}`,
    referrer: `https://${from[n % from.length]}/page`,
  });
}
const client = await app.connect(key, "new", "/mcp/full");
const [one] = links;
const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);

it.each([
  ["create_link", { url: "https://example.com/", title: "New" }],
  ["list_links", {}],
  ["get_link", { id: one?.slug }],
  ["update_link", { id: one?.slug, title: "Changed" }],
  ["get_analytics", {}],
  ["get_analytics", { id: one?.slug, compare: true }],
  ["get_analytics", { period: "1y", group_by: ["referrer"] }],
  ["get_link_stats_by_period", { id: one?.slug, from: day, to: new Date().toISOString().slice(0, 10) }],
  ["generate_qr", { id: one?.slug }],
  ["list_buckets", {}],
  ["list_changes", { limit: 10 }],
  ["list_recent_clicks", {}],
  ["list_tags", {}],
  ["explain_link", { id: one?.slug, country: "DE" }],
])(
  "%s answers %j in fewer than 1,500 tokens, whichever form of the answer a host hands to the model",
  async (name, args) => {
    const answer = await client.callTool({ name, arguments: args });
    expect(answer.isError, answer.content[0]?.text).not.toBe(true);
    const texts = answer.content.map(({ text = "" }) => text).join("\n");
    expect(tokensOf(texts)).toBeLessThan(1_500);
    // The drawing itself takes about 2,000; hosts that show images have it in the content.
    const { body: _, ...structured } = answer.structuredContent ?? {};
    expect(tokensOf(structured)).toBeLessThan(1_500);
  },
);
