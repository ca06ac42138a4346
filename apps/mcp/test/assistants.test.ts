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
      /^(?:update|delete|undo|rename|cancel|transfer)$/.test(verb) || /^bulk_(?:update|delete)/.test(name);
    expect(hints["destructiveHint"]).toBe(destroys);
    expect(hints["idempotentHint"]).toBe(!/^(?:create|add|invite|bulk_create)/.test(name));
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
