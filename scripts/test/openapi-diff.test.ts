import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesBetween } from "../openapi/changes.ts";
import type { Json } from "../openapi/json.ts";

const root = join(import.meta.dirname, "../..");

const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const content = (schema: Json): Json => ({ content: { "application/json": { schema } } });
const nullable = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] });
const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const link = { $ref: "#/components/schemas/Link" };

const operation: Json = {
  operationId: "links.update",
  security: [{ key: [] }, {}],
  parameters: [{ name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } }],
  requestBody: content(
    object(
      {
        url: { type: "string", maxLength: 100 },
        plan: { enum: ["free", "pro"] },
        title: nullable(text),
      },
      ["url"],
    ),
  ),
  responses: {
    200: {
      headers: { ETag: { required: true, schema: text } },
      ...content(
        object({
          slug: { type: "string", maxLength: 10 },
          created_at: time,
          status: { enum: ["on", "off"] },
          tags: { type: "array", items: object({ name: text }) },
        }),
      ),
    },
    404: content(object({})),
  },
};
const document: Json = { paths: { "/v1/links/{id}": { put: operation } } };

/** New values by place, such as "body.properties.url.maxLength"; undefined removes what is there. */
type Edit = Record<string, unknown>;

const child = (value: unknown, key: string) => (value as Json)[key];
const childAt = (value: unknown, path: string) => path.split(".").reduce(child, value);
const roots = {
  operation: "paths./v1/links/{id}.put",
  body: "paths./v1/links/{id}.put.requestBody.content.application/json.schema",
  answer: "paths./v1/links/{id}.put.responses.200.content.application/json.schema",
};

function edited(edit: Edit): Json {
  const copy = structuredClone(document);
  for (const [place, value] of Object.entries(edit)) {
    const [first = "", ...keys] = place.split(".");
    const path = [...(roots[first as keyof typeof roots] ?? first).split("."), ...keys];
    const last = path.pop() as string;
    const holder = path.reduce<unknown>(child, copy) as Json;
    if (value === undefined) delete holder[last];
    else holder[last] = structuredClone(value);
  }
  return copy;
}

const changesAfter = (edit: Edit) => changesBetween(document, edited(edit)).map(({ what }) => what);

const answer = childAt(document, roots.answer) as Json;
const { slug, ...otherFields } = answer["properties"] as Record<string, Json>;

describe("a change that breaks clients", () => {
  it.each<[what: string, edit: Edit]>([
    ["the operation is removed", { paths: {} }],
    ["the operation is removed", { "paths./v1/links/{id}": {} }],
    ['operationId is now "links.change"', { "operation.operationId": "links.change" }],
    ["no longer accepts calls without a credential", { "operation.security": [{ key: [] }] }],
    ["no longer accepts key", { "operation.security": [{ session: [] }] }],
    ["query page is removed", { "operation.parameters": [] }],
    ["query page is now required", { "operation.parameters.0.required": true }],
    ["query page: minimum was 1, is 2", { "operation.parameters.0.schema.minimum": 2 }],
    ["query tz is now required", { "operation.parameters.1": { name: "tz", in: "query", required: true } }],
    ["body is now required", { "operation.requestBody.required": true }],
    ["body as application/json is removed", { "operation.requestBody.content": {} }],
    ["body.plan is removed", { "body.properties.plan": undefined }],
    ["body.plan is now required", { "body.required": ["url", "plan"] }],
    ["body.url: maxLength was 100, is 50", { "body.properties.url.maxLength": 50 }],
    ['body.url: pattern was not set, is "^h"', { "body.properties.url.pattern": "^h" }],
    ["body.url no longer accepts string", { "body.properties.url": { type: "integer" } }],
    ["body.url is now ignored (readOnly)", { "body.properties.url": { readOnly: true } }],
    ['body.plan no longer accepts "pro"', { "body.properties.plan.enum": ["free"] }],
    ['body.url now accepts "a" only', { "body.properties.url.enum": ["a"] }],
    ["body.title no longer accepts null", { "body.properties.title": text }],
    [
      "body.url has another not, which this comparison does not understand",
      { "body.properties.url.not": { const: "x" } },
    ],
    ["200 header ETag is removed", { "operation.responses.200.headers": {} }],
    ["200 header ETag may now be missing", { "operation.responses.200.headers.ETag.required": false }],
    ["answer 404 is removed", { "operation.responses.404": undefined }],
    ["200 as application/json is removed", { "operation.responses.200.content": { "text/csv": {} } }],
    ["200.slug is removed", { "answer.properties": otherFields, "answer.required": [] }],
    ["200.slug may now be missing", { "answer.required": ["created_at", "status", "tags"] }],
    ["200.slug may now be null", { "answer.properties.slug": nullable(text) }],
    ["200.slug may now be null", { "answer.properties.slug.type": ["string", "null"] }],
    ['200.created_at: format was "date-time", is not set', { "answer.properties.created_at": text }],
    ['200.status may now be "up"', { "answer.properties.status": { const: "up" } }],
    [
      "200.tags[].name may now be integer",
      { "answer.properties.tags.items.properties.name.type": "integer" },
    ],
  ])("%s", (what, edit) => {
    expect(changesAfter(edit)).toContain(what);
  });
});

describe("a change that breaks no client", () => {
  it.each<[what: string, edit: Edit]>([
    ["a new answer", { "operation.responses.429": {} }],
    ["a field that may be one value more", { "answer.properties.status.enum": ["on", "off", "idle"] }],
    ["an answer with wider limits", { "answer.properties.slug.maxLength": 20 }],
    ["another default", { "operation.parameters.0.schema.default": 2 }],
    ["a new operation", { "paths./v1/tags": { get: {} } }],
    ["a new optional parameter", { "operation.parameters.1": { name: "q", in: "query" } }],
    ["a new optional field of a request", { "body.properties.notes": text }],
    ["a new field of an answer", { "answer.properties.notes": text, "answer.required.4": "notes" }],
    ["a request with wider limits", { "body.properties.url.maxLength": 200 }],
    ["a request that takes one value more", { "body.properties.plan.enum.2": "enterprise" }],
    ["a field that is no longer required", { "body.required": [] }],
    ["an answer with narrower limits", { "answer.properties.slug.maxLength": 5 }],
    ["one more way to authenticate", { "operation.security.2": { session: [] } }],
    ["another description", { "answer.description": "Another one" }],
    ["null as one of two types", { "body.properties.title": { type: ["string", "null"] } }],
    [
      "an enumeration as several constants",
      { "answer.properties.status": { oneOf: [{ const: "off" }, { const: "on" }] } },
    ],
    [
      "a named component instead of a schema",
      {
        components: { schemas: { Link: answer } },
        "operation.responses.200.content.application/json.schema": link,
      },
    ],
    [
      "a schema that is combined from two",
      {
        components: { schemas: { Link: object({ slug }) } },
        "operation.responses.200.content.application/json.schema": { allOf: [link, object(otherFields)] },
      },
    ],
  ])("%s", (_, edit) => {
    expect(changesAfter(edit)).toEqual([]);
  });
});

it("finds a change behind references, recursive ones too", () => {
  const withLink = (Link: Json) =>
    edited({
      components: { schemas: { Link } },
      "operation.responses.200.content.application/json.schema": nullable(link),
    });
  const before = withLink(object({ slug, parent: nullable(link) }));
  expect(changesBetween(before, before)).toEqual([]);
  const after = withLink(object({ parent: nullable(link) }));
  expect(changesBetween(before, after)).toEqual(
    ["200.slug is removed", "200.parent.slug is removed"].map((what) => ({
      operation: "PUT /v1/links/{id}",
      what,
    })),
  );
});

/** The places of every method, parameter, field, status, header and content type of a part of a document. */
function removable(part: unknown, place: string[]): string[][] {
  if (typeof part !== "object" || part === null) return [];
  const lists = ["parameters", "properties", "responses", "headers", "content"];
  const isField = place.at(-2) === "properties";
  const isList = (lists.includes(place.at(-1) ?? "") && !isField) || place.length === 0;
  return Object.entries(part).flatMap(([key, inner]) => [
    ...(isList ? [[...place, key]] : []),
    ...removable(inner, [...place, key]),
  ]);
}

/** The part without what is at a place in it. The rest is shared with it. */
function without(part: unknown, [key = "", ...rest]: string[]): unknown {
  const isLast = rest.length === 0;
  if (Array.isArray(part)) {
    const at = Number(key);
    return isLast ? part.toSpliced(at, 1) : part.with(at, without(part[at], rest));
  }
  const { [key]: inner, ...others } = part as Json;
  return isLast ? others : { ...others, [key]: without(inner, rest) };
}

describe("the committed description", () => {
  const description = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")) as Json;
  const paths = Object.entries(description["paths"] as Json);
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline);
    if (typeof part !== "object" || part === null) return part;
    const { $ref: reference, ...others } = part as Json;
    const target =
      typeof reference === "string" ? reference.slice(2).split("/").reduce(child, description) : {};
    const all = Object.entries({ ...(target as Json), ...others });
    return Object.fromEntries(all.map(([key, inner]) => [key, inline(inner)]));
  };

  // Some of the paths: the tables above have every kind of change.
  const some = paths.filter((_, at) => at % 8 === 0);
  it.each(some)("%s: finds whatever is removed", (path, named) => {
    const withItem = (changed: unknown) => ({ ...description, paths: { [path]: changed } });
    const item = inline(named);
    const places = removable(item, []);
    expect(changesBetween(withItem(named), withItem(item))).toEqual([]);
    const unnoticed = places.filter(
      (place) => changesBetween(withItem(item), withItem(without(item, place))).length === 0,
    );
    expect(unnoticed).toEqual([]);
    expect(places.length).toBeGreaterThan(3);
  });
});

describe("node scripts/openapi-diff.ts", () => {
  let folder: string;
  const write = (path: string, value: string) => writeFileSync(join(folder, path), value);
  const compare = () => {
    const script = join(root, "scripts/openapi-diff.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
    return { status, stdout, stderr };
  };
  const announce = (part: string, sentence: string) =>
    write("CHANGELOG.md", `# Changelog\n\n## Unreleased\n\n### ${part}\n\n- ${sentence}\n\n## 0.1.0\n`);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "terse-openapi-"));
    mkdirSync(join(folder, "docs"));
    write("CHANGELOG.md", "# Changelog\n");
    write("docs/openapi.released.json", JSON.stringify(document));
    write("docs/openapi.json", JSON.stringify(edited({ "body.properties.url.maxLength": 50 })));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("fails on a breaking change that the changelog does not announce, and prints what to write", () => {
    const { status, stdout, stderr } = compare();
    expect(status).toBe(1);
    expect(stdout).toBe("PUT /v1/links/{id}: body.url: maxLength was 100, is 50\n");
    expect(stderr).toContain("- `PUT /v1/links/{id}`: ");
  });

  it.each([
    ["in another part", "Links", "PUT /v1/links/{id} takes shorter URLs."],
    ["of another operation", "Breaking", "PUT /v1/links/{id}/tags and PUT /v1/links take shorter URLs."],
  ])("fails with an announcement %s", (_, part, sentence) => {
    announce(part, sentence);
    expect(compare().status).toBe(1);
  });

  it("passes if the changelog names the operation", () => {
    announce("Breaking", "PUT /v1/links/{id} takes shorter URLs.");
    expect(compare()).toMatchObject({ status: 0, stderr: "" });
  });

  it("passes when nothing breaks, and before the first release", () => {
    const nothing = { status: 0, stdout: "", stderr: "" };
    write("CHANGELOG.md", "# Changelog\n");
    write("docs/openapi.json", JSON.stringify(document));
    expect(compare()).toEqual(nothing);
    write("docs/openapi.json", JSON.stringify(edited({ "body.properties.url.maxLength": 50 })));
    rmSync(join(folder, "docs/openapi.released.json"));
    expect(compare()).toEqual(nothing);
  });
});
