import { browserUserAgent } from "@terse/testkit";
import { describe, expect, it } from "vitest";
import { type ListedTool, startApp } from "./app.ts";
import { tokensOf } from "./tokens.ts";

/**
 * What a definition of a tool must be so that assistants choose it and call it rightly, and providers take it. Rules for
 * descriptions follow the components that arXiv:2602.14878 found missing in most servers: purpose, when to use it, limits,
 * arguments, examples.
 */

const app = await startApp();
const key = await app.someKey();
const [ten, all] = [await listOf("/mcp"), await listOf("/mcp/full")];

async function listOf(path: string): Promise<ListedTool[]> {
  const client = await app.connect(key, "new", path);
  return (await client.listTools()).tools;
}

interface Schema {
  type?: string;
  description?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}
const inputOf = (tool: ListedTool) => tool.inputSchema as Schema;
const argumentsOf = (tool: ListedTool) => Object.entries(inputOf(tool).properties ?? {});

/** What a host hands to a model: not titles, hints and output schemas */
const readByModels = ({ name, description, inputSchema }: ListedTool) => ({
  name,
  description,
  input_schema: inputSchema,
});

it("the specification's ten take fewer than 4,000 tokens, and all tools fewer than 10,000", () => {
  expect(ten).toHaveLength(10);
  expect(ten.map(readByModels).reduce((sum, tool) => sum + tokensOf(tool), 0)).toBeLessThan(4_000);
  expect(all.map(readByModels).reduce((sum, tool) => sum + tokensOf(tool), 0)).toBeLessThan(10_000);
});

it("the server with all tools lists the ten first, word by word", () => {
  const short = (tool: ListedTool) => ({ ...tool, _meta: undefined });
  expect(all.slice(0, 10).map(short)).toEqual(ten.map(short));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

it("describes each member of a draft of rules", () => {
  const { properties = {} } = inputOf(all.find(({ name }) => name === "what_if") as ListedTool);
  const members = schemasIn(properties["draft"]?.properties ?? {}, "draft");
  const named = members.filter(([where]) => !where.endsWith("[]"));
  expect(named.map(([where]) => where)).toContain("draft.rules[].when.weekly.tz");
  expect(named.filter(([, { description = "" }]) => description === "")).toEqual([]);
});

describe.each(all.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  it("has a name, a title and hints that hosts can rely on", () => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(name.length).toBeLessThanOrEqual(40);
    expect(tool["title"]).toMatch(/^[A-Z][\w' ]+$/);
    const hints = tool["annotations"] as Record<string, unknown>;
    expect(hints).toEqual({
      title: tool["title"],
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: false,
    });
    const [verb = ""] = name.split("_");
    expect(hints["readOnlyHint"]).toBe(/^(?:get|list|generate|locate|explain|what)$/.test(verb));
    const destroys =
      /^(?:update|delete|undo|rename|cancel)$/.test(verb) || /^bulk_(?:update|delete)/.test(name);
    expect(hints["destructiveHint"]).toBe(destroys);
    expect(hints["idempotentHint"]).toBe(!/^(?:create|add|bulk_create)/.test(name));
  });

  it("says in 20 to 500 characters what it does and when to use it, or what to do before", () => {
    const text = String(tool["description"]);
    expect(text.length).toBeGreaterThanOrEqual(20);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^[A-Z][a-z]+s /);
    expect(text).toMatch(/\bUse it\b|\b[Bb]efore\b|\bask\b/);
    for (const [, other = ""] of text.matchAll(/\b([a-z]+(?:_[a-z]+)+)\b/g)) {
      const known = [...all.map((each) => each.name), ...argumentsOf(tool).map(([argument]) => argument)];
      expect([...known, ...answerNames]).toContain(other);
    }
  });

  it("describes every argument, with an example where its type has none", () => {
    for (const [argument, { description = "", type, enum: choices }] of argumentsOf(tool)) {
      expect(argument).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(description, argument).not.toBe("");
      if (type === "boolean" || choices) continue;
      expect(description, argument).toMatch(/\bsuch as \S/i);
    }
  });

  it("takes what the function declarations of all large providers can say", () => {
    const { type, properties, required = [], ...rest } = inputOf(tool);
    // No union at the top, which the Messages API refuses; an object, which all of them demand.
    expect(type).toBe("object");
    expect(rest).toEqual({ additionalProperties: false });
    expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(required));
    const known = new Set(["type", "description", "enum", "items", "properties"]);
    for (const [where, schema] of schemasIn(properties ?? {}, name)) {
      expect(
        Object.keys(schema).filter((keyword) => !known.has(keyword)),
        where,
      ).toEqual([]);
      // One type for every value: Gemini takes no list of types, and strict clients send null for what they leave out.
      expect(schema.type, where).toBeTypeOf("string");
      expect(schema.type, where).not.toBe("null");
      expect(schema.description ?? "", where).not.toMatch(/\bnull\b/);
      expect(schema.enum?.every((value) => typeof value === "string") ?? true, where).toBe(true);
      // Gemini refuses lists of anything, and objects without properties.
      if (schema.type === "array") expect(schema.items, where).toBeDefined();
      if (schema.type === "object") expect(Object.keys(schema.properties ?? {}), where).not.toEqual([]);
    }
    expect(tool.outputSchema).toMatchObject({ type: "object" });
    expect(JSON.stringify(tool.outputSchema)).not.toMatch(/"(?:\$ref|anyOf|oneOf|allOf)"/);
  });
});

/** Names in descriptions that are fields of answers */
const answerNames = ["change_id", "used_up", "bots_by", "job_id", "is_active"];

function schemasIn(properties: Record<string, Schema>, where: string): [string, Schema][] {
  return Object.entries(properties).flatMap(([name, schema]) => within(`${where}.${name}`, schema));
}
const within = (where: string, schema: Schema): [string, Schema][] => [
  [where, schema],
  ...(schema.items ? within(`${where}[]`, schema.items) : []),
  ...schemasIn(schema.properties ?? {}, where),
];

const { key: busyKey, account } = await app.key("pro");
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
const client = await app.connect(busyKey, "new", "/mcp/full");
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
