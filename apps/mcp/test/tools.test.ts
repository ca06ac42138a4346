import type { Account } from "@terse/core";
import { idsOf, seed } from "@terse/core/fixtures";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { textOf, startApp } from "./app.ts";
import { fixtureOfTool, seedAccount, sampleOf } from "./tool-samples.ts";

const app = await startApp();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const { tools } = await (await app.connect(await app.someKey())).listTools();
const more = (await (await app.connect(await app.someKey(), "new", "/mcp/full")).listTools()).tools.slice(
  tools.length,
);

it("lists what the committed snapshot says", async () => {
  const pages = [...tools, ...more].map(
    ({ name, title, description, annotations, inputSchema, outputSchema }) =>
      [
        `## ${name}: ${String(title)}`,
        description,
        `Hints: ${hintsOf(annotations as object)}`,
        "### Takes",
        ...fieldsOf(inputSchema),
        "### Answers",
        ...fieldsOf(outputSchema),
      ].join("\n\n"),
  );
  await expect(`${pages.join("\n\n")}\n`).toMatchFileSnapshot("tools.snapshot.md");
});

const hintsOf = (annotations: object) =>
  Object.entries(annotations)
    .flatMap(([name, value]) => (value === true ? [name] : []))
    .join(", ") || "none";

/** One line for each field, with its whole schema */
function fieldsOf(schema: object | undefined): string[] {
  const {
    properties,
    required = [],
    ...rest
  } = schema as { properties: Record<string, object>; required?: string[] };
  const lines = Object.entries(properties).map(
    ([name, field]) => `- \`${name}\`${required.includes(name) ? "" : "?"} ${JSON.stringify(field)}`,
  );
  return [lines.join("\n"), `Object: ${JSON.stringify(rest)}`];
}

const named = tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema }));

describe.each(["new", "old"] as const)("with the %s client", (line) => {
  it.each(named)("$name answers field by field what REST does, as its output schema says", async (tool) => {
    const { name, outputSchema } = tool;
    const { key, ids } = await seedAccount(app);
    const client = await app.connect(key, line);
    await client.listTools(); // from here on the client validates answers itself
    const sample = sampleOf(name);
    const answer = await client.callTool({ name, arguments: sample.arguments(ids) });
    expect(textOf(answer), textOf(answer)).not.toBe("");
    expect(answer.isError ?? false, textOf(answer)).toBe(false);
    const { structuredContent = {} } = answer;
    const rest = async (method: string, path: string) => await app.rest(key, method, path);
    expect(structuredContent).toEqual(await sample.expected(rest, ids, structuredContent));
    if (!ajv.validate(outputSchema as object, structuredContent)) throw new Error(ajv.errorsText());
    const last = answer.content.at(-1);
    if (name === "generate_qr") expect(last?.mimeType).toBe("image/png");
    else expect(last?.text).toBe(JSON.stringify(structuredContent));
  });
});

describe.each(named)("$name", ({ name, inputSchema }) => {
  it("accepts what its input schema allows, and refuses an unknown argument", async () => {
    const { key, ids } = await seedAccount(app);
    const client = await app.connect(key);
    const input = sampleOf(name).arguments(ids);
    expect(ajv.validate(inputSchema, input)).toBe(true);
    expect(ajv.validate(inputSchema, { ...input, unknown_argument: 1 })).toBe(false);
    const answer = await client.callTool({ name, arguments: { ...input, unknown_argument: 1 } });
    expect(answer).toMatchObject({ isError: true, content: [{ type: "text" }] });
    expect(textOf(answer)).toMatch(
      new RegExp(`^unknown_argument: no such argument; ${name} takes [a-z_, ]+$`),
    );
  });

  it("names the argument that has a wrong type", async () => {
    const { key, ids } = await seedAccount(app);
    const client = await app.connect(key);
    await client.listTools(); // from here on the client validates answers itself
    for (const argument of Object.keys((inputSchema as { properties: object }).properties)) {
      const { clear: _, ...sample } = sampleOf(name).arguments(ids);
      const input = { ...sample, [argument]: { wrong: true } };
      const answer = await client.callTool({ name, arguments: input });
      expect(answer.isError).toBe(true);
      expect(textOf(answer).startsWith(argument), textOf(answer)).toBe(true);
      const { issues } = answer.structuredContent as { issues: { path: string[]; code: string }[] };
      expect(issues[0]?.path[0]).toBe(argument);
    }
  });
});

it.each(["new", "old"] as const)("a failure has its issues, which the %s client accepts", async (line) => {
  const client = await app.connect(await app.someKey(), line);
  const { outputSchema } = (await client.listTools()).tools.find(({ name }) => name === "create_link") ?? {};
  const args = { url: "ftp://example.com/", slug: "a b" };
  const answer = await client.callTool({ name: "create_link", arguments: args });
  const { issues } = answer.structuredContent as { issues: { path: string[] }[] };
  expect(issues.map(({ path }) => path)).toEqual([["url"], ["slug"]]);
  expect(ajv.validate(outputSchema as object, answer.structuredContent)).toBe(true);
});

it.each(more)("$name answers as its output schema says", async ({ name, inputSchema, outputSchema }) => {
  const { account, key } = await app.key("enterprise");
  const { uses, input } = fixtureOfTool(name);
  const own = idsOf(await seed(app.core, account, uses));
  const { properties } = inputSchema as { properties: Record<string, { type: unknown }> };
  // Filters are listed as lists; a single value is accepted, too.
  const listed = ([field, value]: [string, unknown]) =>
    properties[field]?.type === "array" ? [field, [value].flat()] : [field, value];
  const known = Object.entries(input(own)).filter(([field]) => field in properties);
  const cleared = known.flatMap(([field, value]) => (value === null ? [field] : []));
  const args: Record<string, unknown> = {
    ...Object.fromEntries(known.filter(([, value]) => value !== null).map(listed)),
    ...(cleared.length > 0 && { clear: cleared }),
  };
  expect(ajv.validate(inputSchema, args), ajv.errorsText()).toBe(true);
  const client = await app.connect(key, "new", "/mcp/full");
  await client.listTools(); // from here on the client validates answers itself
  const id = name === "undo_change" ? { id: await newestChange(account) } : {};
  const answer = await client.callTool({ name, arguments: { ...args, ...id } });
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  if (!ajv.validate(outputSchema as object, answer.structuredContent)) throw new Error(ajv.errorsText());
  expect(answer.content.at(-1)?.text).toBe(JSON.stringify(answer.structuredContent));
});

async function newestChange(account: Account): Promise<string | undefined> {
  const caller = app.core.caller({ kind: "account", account, credential: "internal" });
  await caller.links.create({ url: "https://example.com/" });
  return (await caller.changes.list({})).data[0]?.id;
}
