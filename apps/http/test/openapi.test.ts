import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, describe, expect, it } from "vitest";
import { eventTypes } from "@terse/core";
import { fixtureOf, idsOf, seed, unknownId } from "@terse/core/fixtures";
import { version } from "@terse/server";
import { startDns } from "@terse/testkit/dns";
import { withoutComponents } from "../src/index.ts";
import { definitionsOf, errorOf, linkOf, startApp } from "./client.ts";
import { readDocument, type Schema, validatorsOf, walk } from "./document.ts";
import { restRequest } from "./rest-request.ts";
import { seedAccount } from "./seeded-account.ts";
import {
  accountFor,
  callOften,
  credentialFor,
  provoke,
  provokeUndocumented,
  send,
} from "./status-scenarios.ts";
import { requiredQuery, validBodies, validQueries } from "./schema-values.ts";

const dns = await startDns();
afterAll(() => dns.close());
const app = await startApp({ dnsServers: [dns.address] });
const limited = await startApp({ rateLimits: { free: 1, pro: 1, enterprise: 1 }, passwordsPerMinute: 1 });
const away = await startApp({ databaseUrl: "postgresql://127.0.0.1:1/terse" });
const broken = await startApp();
await broken.core.close();
const apps = { app, limited, away, broken, dns };
const description = await app.ask("GET", "/openapi.json");
const document = readDocument(description.json);

it.each(document.operations)(
  "$operationId gives every answer that is documented, as documented, and no other",
  async (operation) => {
    for (const status of Object.keys(operation.responses).map(Number)) {
      const provoked = await provoke(apps, operation, status);
      expect(provoked.length, `answers with ${status}`).toBeGreaterThan(0);
      for (const { answer, error } of provoked) {
        expect(answer.status, `instead of ${status}: ${answer.text}`).toBe(status);
        document.check(operation, answer);
        if (typeof error === "string") expect(errorOf(answer)).toBe(error);
        else if (error) expect(errorOf(answer)).toMatch(error);
      }
    }
    for (const answer of await provokeUndocumented(apps, operation)) document.check(operation, answer);
  },
);

it("describes every tag that an operation has", () => {
  const { tags, paths } = description.json as {
    tags: { name: string }[];
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  const used = Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.tags));
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
});

interface Shared {
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>;
  webhooks: Record<
    string,
    { post: { description: string; requestBody: { content: Record<string, { schema: Schema }> } } }
  >;
}
const shared = description.json as Shared;

it("refers to every body of a request, and to the objects in it, by name", () => {
  const { paths, components } = shared;
  const bodies = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ requestBody }) => requestBody?.content["application/json"]?.schema ?? []),
  );
  expect(bodies.length).toBeGreaterThan(20);
  for (const body of bodies) expect(Object.keys(body)).toEqual(["$ref"]);
  const inlined = Object.entries(components.schemas)
    .filter(([name]) => /(?:Body|Input|Condition|Conditions|LinkFilter|LinkChanges)$/.test(name))
    .flatMap(
      ([name, schema]) =>
        JSON.stringify(schema)
          .match(/"properties":/g)
          ?.slice(1)
          .map(() => name) ?? [],
    );
  expect(inlined).toEqual([]);
  for (const [, name = ""] of JSON.stringify(shared).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(components.schemas).toHaveProperty(name);
});

it("describes what webhooks receive, event by event", () => {
  expect(Object.keys(shared.webhooks)).toEqual(Object.keys(eventTypes));
  const deleted = shared.webhooks["link.deleted"]?.post;
  expect(deleted?.description).toBe(eventTypes["link.deleted"]);
  expect(deleted?.requestBody.content["application/json"]?.schema.properties).toMatchObject({
    type: { const: "link.deleted" },
    data: { $ref: "#/components/schemas/Link" },
  });
});

describe("an operation that documents no limit has none", () => {
  const unlimited = document.operations.filter(
    ({ method, responses }) => method !== "GET" && !("429" in responses),
  );
  // The limits that are settings, which the app sets to one; the others allow up to sixty calls.
  it.each(unlimited)("as a second call shows: $operationId", (operation) => isUnlimited(operation, 2));
  it.each(unlimited)("as 65 calls show: $operationId", { tags: ["long"] }, (operation) =>
    isUnlimited(operation, 65),
  );

  async function isUnlimited(operation: (typeof unlimited)[number], calls: number): Promise<void> {
    for (const answer of await callOften(apps, operation, calls)) document.check(operation, answer);
  }
});

describe("what the document allows is accepted", () => {
  const withBody = document.operations.filter((operation) => document.bodySchemaOf(operation));
  it.each(withBody)("every body of $operationId", async (operation) => {
    const { uses, dependentFields, input } = fixtureOf(operation.operationId);
    const { key, cookie, account } = await seedAccount(app, []);
    for (const body of validBodies(operation, dependentFields)) {
      const ids = idsOf(await seed(app.core, account, uses));
      const given = Object.entries(input(ids)).filter(([field]) => Object.hasOwn(Object(body), field));
      const own = Object.fromEntries(given.filter(([field]) => dependentFields.includes(field)));
      const carried = body === undefined ? { body: "" } : { json: { ...body, ...own } };
      const answer = await send(app, operation, {
        ...credentialFor(operation, { key, cookie }),
        ids,
        ...carried,
      });
      expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).toBeLessThan(300);
      document.check(operation, answer);
      // Frees the slug or domain for the next body.
      for (const kind of ["links", "buckets", "domains", "webhooks"])
        await app.ask("DELETE", `/v1/${kind}/${linkOf(answer).id}`, { key });
    }
  });

  it.each(document.operations)("the example of $operationId", async (operation) => {
    const { operationId, method, parameters = [], requestBody } = operation;
    const { ids, ...account } = await accountFor(app, operation);
    const credential = credentialFor(operation, account);
    const { input, dependentFields } =
      operationId === "health"
        ? { input: () => ({}), dependentFields: [] as string[] }
        : fixtureOf(operationId);
    const given: Record<string, unknown> = input(ids);
    const { id } = given;
    const required = requiredQuery(operation);
    const query = new URLSearchParams({
      ...required,
      ...("id" in required && { id: String(id) }),
    }).toString();
    const path =
      operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name])) +
      (query && `?${query}`);
    const example = requestBody?.content["application/json"]?.example;
    const dependent = Object.entries(given).filter(
      ([name]) => dependentFields.includes(name) && Object.hasOwn(Object(example), name),
    );
    const json = example && { ...example, ...Object.fromEntries(dependent) };
    const isFile = requestBody !== undefined && json === undefined;
    const answer = isFile
      ? await send(app, operation, { ...credential, ids })
      : await app.ask(method, path, { ...credential, ...(json !== undefined && { json }) });
    expect(answer.status, `${JSON.stringify(json)}: ${answer.text}`).toBeLessThan(300);
    document.check(operation, answer);
    const inPath = parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map((parameter) => parameter.example)).toEqual(inPath.map(() => unknownId));
  });

  it("an answer that is sent back as a change", async () => {
    const { key, link, bucket } = await seedAccount(app);
    for (const [kind, answer] of [
      ["links", link],
      ["buckets", bucket],
    ] as const) {
      const operation = document.operations.find(({ operationId }) => operationId === `${kind}.update`);
      const schema = operation && document.bodySchemaOf(operation);
      expect(document.faultsOf(schema as Schema, answer)).toBeNull();
      const sent = await app.ask("PUT", `/v1/${kind}/${answer.id}`, { key, json: answer });
      expect(sent.status, sent.text).toBe(200);
    }
  });

  /** Where a query string is beside a file, the file. */
  const fileFor = ({ operationId }: (typeof document.operations)[number]) => {
    const place = definitionsOf(app.core.router)[operationId]?.meta.openapi;
    if (!place?.file) return {};
    const [, , carried] = restRequest(place, fixtureOf(operationId).input(idsOf({})));
    return carried;
  };
  const withQuery = document.operations.filter(({ parameters = [] }) =>
    parameters.some((parameter) => parameter.in === "query"),
  );
  it.each(withQuery)("every query string of $operationId", async (operation) => {
    const things = ["link", "bucket", "webhook", "job"] as const;
    for (const query of validQueries(operation, fixtureOf(operation.operationId).dependentFields)) {
      const { key, ids } = await accountFor(app, operation, { things });
      const { id = ids.link } = fixtureOf(operation.operationId).input(ids);
      const path = operation.path.replace("{id}", String(id));
      const answer = await app.ask(operation.method, `${path}?${query}`, { key, ...fileFor(operation) });
      expect(answer.status, `${query}: ${answer.text}`).toBeLessThan(300);
      document.check(operation, answer);
    }
  });
});

it("describes every REST route of the router and no other", () => {
  const served = Object.entries(definitionsOf(app.core.router)).flatMap(([name, { meta }]) =>
    meta.openapi ? [`${meta.openapi.method} ${meta.openapi.path} ${name}`] : [],
  );
  const described = document.operations.map(
    (operation) => `${operation.method} ${operation.path} ${operation.operationId}`,
  );
  expect(described.toSorted()).toEqual([...served, "GET /health health"].toSorted());
});

it("describes every route that the app registers under /v1 and no other", () => {
  const registered = app.app.routes.filter(({ method, path }) => path.startsWith("/v1") && method !== "ALL");
  const described = document.operations.filter(({ path }) => path.startsWith("/v1"));
  expect(new Set(registered.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(described.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`)),
  );
});

describe("for generators and readers, the document", () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const { components } = description.json as Described;
  ajv.addSchema({ components }, "document");
  const validatorOf = validatorsOf(ajv);
  const served = [...walk(description.json)];
  const answers = withoutComponents(description.json as Described).paths;
  const responses = Object.entries(answers).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).map((each) => ({ name: `${method} ${path} ${status}`, ...each })),
      ),
    ),
  );

  it("leaves objects of answers open, as they may get more fields", () => {
    const { schemas } = (description.json as Described).components;
    const ofAnswers: unknown[] = responses.map(({ schema }) => schema);
    const named = new Set<string>();
    for (const schema of ofAnswers)
      for (const { $ref } of walk(schema)) {
        const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : "";
        if (name === "" || named.has(name)) continue;
        named.add(name);
        ofAnswers.push((schemas as Record<string, unknown>)[name]);
      }
    expect([...walk(ofAnswers)].filter((schema) => schema["additionalProperties"] === false)).toEqual([]);
  });

  it("describes every parameter", () => {
    const nameless = document.operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, description: own, schema }) =>
        (own ?? schema["description"]) ? [] : [`${operationId} ${name}`],
      ),
    );
    expect(nameless, "describe them in their schemas or in openapi/words.ts").toEqual([]);
  });

  it("describes every property", () => {
    const nameless = served.flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, property]) => (property["description"] ? [] : [name])),
    );
    expect(nameless, "describe them in their schemas or in openapi/words.ts").toEqual([]);
  });

  it("has no two properties that are one in another language, and names the other spelling", () => {
    for (const { properties = {} } of served) {
      const names = Object.keys(properties).map((name) => name.replaceAll("_", "").toLowerCase());
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
    expect((description.json as Described).components.schemas["Link"]).toMatchObject({
      "x-aliases": { short_url: "shortUrl" },
    });
  });

  it.each(responses)("has a valid example of $name", ({ schema, example: own }) => {
    const { schemas } = (description.json as Described).components;
    const [ofSchema] = (schemas[String(schema["$ref"]).split("/").at(-1) ?? ""]?.["examples"] ??
      []) as unknown[];
    const example = own ?? ofSchema;
    expect(example).not.toBeUndefined();
    expect(JSON.stringify(example), "give the property an example in openapi/words.ts").not.toContain(
      '"text"',
    );
    const validate = validatorOf(schema);
    expect(validate(example), ajv.errorsText(validate.errors)).toBe(true);
  });
});

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, Example> }> }>>;
  components: { schemas: Record<string, Schema> };
}
interface Example {
  schema: Schema;
  example?: unknown;
}

it("is served as JSON, in OpenAPI 3.1, with the version of Terse, at the public address", () => {
  expect(description.headers.get("content-type")).toBe("application/json; charset=UTF-8");
  expect(description.json).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Terse", version },
    servers: [{ url: "http://api.test" }],
  });
});

it("passes redocly lint", () => {
  const root = join(import.meta.dirname, "../../..");
  const folder = mkdtempSync(join(tmpdir(), "terse-openapi-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.json"), description.text);
  const { status, stdout, stderr } = spawnSync(
    join(root, "node_modules/.bin/redocly"),
    ["lint", "--config", join(root, "redocly.yaml"), "--format=stylish", join(folder, "openapi.json")],
    // No telemetry and no update check: the tests need no network.
    {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  expect(stderr).not.toMatch(/warning/i);
});
