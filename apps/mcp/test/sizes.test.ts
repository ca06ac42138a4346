import { randomBytes } from "node:crypto";
import { browserUserAgent } from "@terse/testkit";
import { expect, it } from "vitest";
import { tokensIn } from "../src/tools/size.ts";
import { now, startApp, textOf, type ToolResult } from "./app.ts";
import { fixtureOfTool } from "./tool-samples.ts";
import { tokensOf } from "./tokens.ts";

/** Answers to an account that has as much of everything as there can be. */

const app = await startApp();
const { key, account } = await app.key("enterprise");
const caller = app.core.caller({ kind: "account", account, credential: "internal" });
const client = await app.connect(key, "new", "/mcp/full");
const { tools } = await client.listTools();

const random = (length: number) => randomBytes(length).toString("base64url").slice(0, length);
const pageOf = (length: number) => `https://www.example.com/${random(length)}`;
const countries = [
  "DE",
  "FR",
  "IT",
  "ES",
  "PL",
  "NL",
  "BE",
  "AT",
  "CH",
  "SE",
  "NO",
  "DK",
  "FI",
  "IE",
  "PT",
  "GR",
];
const fullLink = () => ({
  url: pageOf(6_000),
  title: "Sommerschlussverkauf für Fahrräder, Zubehör und Bekleidung ".repeat(4).trim(),
  notes: "Ask Ada before you change this link, because it is in print. ".repeat(30).trim(),
  tags: Array.from({ length: 20 }, () => random(30)),
  rules: Array.from({ length: 20 }, (_, n) => ({
    when: { country: [countries[n % 16] ?? "DE"] },
    url: pageOf(200),
    name: random(20),
  })),
  geo_rules: countries.map((country) => ({ country, url: pageOf(200) })),
  ab_test: { variants: [1, 2, 3, 4].map((weight) => ({ url: pageOf(500), weight })) },
  preview: { title: random(100), description: random(200) },
  fallback_url: pageOf(1_000),
  expires_at: "2099-01-01T00:00:00.000Z",
});

const links = [];
for (let n = 0; n < 110; n++) {
  const ordinary = {
    url: pageOf(60),
    title: `Offer number ${n}`,
    tags: Array.from({ length: 5 }, () => random(20)),
  };
  links.push(await caller.links.create(n % 10 === 0 ? fullLink() : ordinary));
}
const [full = await caller.links.create(fullLink())] = links;
for (let n = 0; n < 40; n++)
  await caller.links.update({ id: full.id, url: pageOf(3_000), notes: random(1_500) });
for (let n = 0; n < 30; n++) {
  const items = Array.from({ length: 10 }, () => ({ title: random(60), url: pageOf(1_500) }));
  await caller.buckets.create({
    name: `Page ${n}`,
    slug: `page-${n}`,
    links: items,
    description: random(190),
  });
}
await caller.domains.create({ domain: "go.example.com" });
for (let n = 0; n < 5; n++) await caller.imports.create({ content: `url\n${pageOf(50)}\n` });
const agents = [
  browserUserAgent,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  "curl/8.0",
];
for (let n = 0; n < 400; n++) {
  await app.core.clicks.record({
    link_id: links[n % links.length]?.id ?? "",
    user_agent: agents[n % agents.length] ?? "",
    address: `192.0.${n % 200}.${n % 250}`,
    referrer: `https://${["news", "search", "mail", "social", "forum", "wiki"][n % 6]}-${n % 50}.example/page`,
  });
}
const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
const ids = links.map(({ id }) => id);
const unknown = Array.from({ length: 1000 }, () => crypto.randomUUID());
const other = await caller.workspaces.create({ name: "Marketing" });
const [job] = (await caller.jobs.list({})).data;

/** Calls that ask for the least and for the most, by tool; those of a tool without arguments ask for all that it has. */
const calls: Record<string, { usual?: Record<string, unknown>; most?: Record<string, unknown> }> = {
  create_link: { usual: fullLink() },
  list_links: {
    usual: {},
    most: { limit: 100, fields: ["id", "destination", "rules", "geo_rules", "notes", "tags"] },
  },
  get_link: {
    usual: { id: full.id },
    most: { id: full.id, fields: ["destination", "rules", "geo_rules", "ab_test", "notes"] },
  },
  update_link: { usual: { id: full.id, notes: "Short" } },
  get_analytics: {
    usual: { id: full.id, compare: true },
    most: { period: "30d", granularity: "hour", group_by: ["link_id"] },
  },
  get_link_stats_by_period: { most: { id: full.id, from: day(-365), to: day(0) } },
  generate_qr: { usual: { id: full.id }, most: { id: full.id, dots: "dots", level: "H" } },
  list_buckets: {
    usual: {},
    most: { limit: 100, fields: ["id", "links", "description", "name", "shortUrl", "created_at"] },
  },
  create_bucket: {
    usual: {
      name: "Page",
      links: Array.from({ length: 10 }, () => ({ title: random(60), url: pageOf(1_500) })),
    },
  },
  locate_link: { usual: { id: full.slug } },
  explain_link: { usual: { id: full.id, country: "DE", query: `a=${random(2_000)}` } },
  what_if: { usual: { id: full.id, draft: { destination: pageOf(3_000) } } },
  bulk_create_links: {
    most: {
      links: Array.from({ length: 300 }, () => ({ url: pageOf(30) })),
      on_error: "continue",
      dry_run: true,
    },
  },
  bulk_update_links: { most: { ids: unknown, set: { is_active: 0 } } },
  bulk_delete_links: { most: { ids: unknown } },
  transfer_links: { most: { ids: unknown, workspace: other.id } },
  list_changes: { usual: {}, most: { limit: 100, fields: ["id", "at", "by", "fields", "slug"] } },
  get_link_history: { usual: { id: full.id }, most: { id: full.id, limit: 100 } },
  list_recent_clicks: {
    usual: {},
    most: {
      fields: ["id", "timestamp", "shortUrl", "link_id", "country", "device", "browser", "os", "referrer"],
    },
  },
  list_tags: { usual: {} },
  list_domains: { usual: {} },
  get_bucket: { usual: { id: "page-1" } },
  update_bucket: { usual: { id: "page-1", description: "Short" } },
  get_bucket_stats: { usual: { id: "page-1" } },
  verify_domain: { usual: { id: "go.example.com" } },
  update_domain: { usual: { id: "go.example.com", root_url: pageOf(3_000), not_found_url: pageOf(3_000) } },
  list_jobs: {
    usual: {},
    most: { limit: 100, fields: ["id", "kind", "status", "result", "created_at", "ended_at", "change_id"] },
  },
  get_job: { usual: { id: job?.id } },
  list_members: { usual: {} },
  invite_member: { usual: { email: "ada@example.com", role: "viewer" } },
  // What changes or deletes comes last.
  undo_change: { usual: { id: ids.at(-5) } },
  rename_tag: { usual: { id: "sale", name: "sales" } },
  delete_tag: { usual: { id: "sales" } },
  cancel_job: { usual: { id: job?.id } },
  delete_bucket: { usual: { id: "page-2" } },
  delete_domain: { usual: { id: "go.example.com" } },
  add_domain: { usual: { domain: "go2.example.com" } },
  delete_link: { usual: { id: ids.at(-2) } },
};
await caller.links.update({ id: ids.at(-3) ?? "", tags: ["sale"] });

/** Both forms of an answer: hosts hand one of them to the model. */
function formsOf({ content, structuredContent = {} }: ToolResult): string[] {
  return [content.map(({ text = "" }) => text).join("\n"), JSON.stringify(structuredContent)];
}

it("has a call of every tool", () => {
  expect(Object.keys(calls).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  expect(fixtureOfTool("get_link")).toBeDefined();
});

const all = Object.entries(calls).flatMap(([name, { usual, most }]) => [
  ...(usual ? [[name, "by default", 1_500, usual] as const] : []),
  ...(most ? [[name, "at most", 6_000, most] as const] : []),
]);

it.each(all)("%s %s answers in %i tokens, and says what to ask for the rest", async (name, _, bar, args) => {
  const answer = await client.callTool({ name, arguments: args });
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  // The drawing of a code is a file, which is whole or left out.
  const limit = name === "generate_qr" ? 6_000 : bar;
  for (const form of formsOf(answer)) expect(tokensOf(form)).toBeLessThan(limit);
  const { note = "" } = (answer.structuredContent ?? {}) as { note?: string };
  if (name === "list_links" && Object.keys(args).length === 0)
    expect(answer.structuredContent?.["links"]).toHaveLength(20);
  if (note.includes("Cut off")) expect(note).toMatch(/Cut off: [a-z_]+.*: .*\. \w.+/);
});

it("estimates tokens about as a tokenizer counts them", () => {
  const texts = {
    ids: JSON.stringify(unknown.slice(0, 50)),
    times: JSON.stringify(
      Array.from({ length: 50 }, (_, n) => ({ start: new Date(now.getTime() - n * 3_600_000), clicks: n })),
    ),
    link: JSON.stringify(full),
    german: "Die Gesellschaft veröffentlicht heute ihren Bericht für das vergangene Jahr. ".repeat(20),
    chinese: "网址缩短服务提供点击统计".repeat(50),
    emoji: "🧀🎉🚲".repeat(100),
  };
  for (const [name, text] of Object.entries(texts)) {
    expect(tokensIn(text) / tokensOf(text), name).toBeGreaterThan(0.8);
    expect(tokensIn(text) / tokensOf(text), name).toBeLessThan(1.7);
  }
});
