import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startDns } from "@terse/testkit/dns";
import { linkOf, definitionsOf, startApp } from "./client.ts";
import { readDocument, type Schema, walk } from "./document.ts";
import { cook, provoke, resident, send } from "./status-scenarios.ts";
import { validBodies, validQueries } from "./valid.ts";

const dns = await startDns();
afterAll(() => dns.close());
const app = await startApp({ dnsServers: [dns.address] });
const limited = await startApp({ rateLimits: { free: 1, pro: 1, enterprise: 1 } });
const away = await startApp({ databaseUrl: "postgresql://127.0.0.1:1/terse" });
const broken = await startApp();
await broken.core.close();
const apps = { app, limited, away, broken, dns };
const description = await app.ask("GET", "/openapi.json");
const document = readDocument(description.json);

describe("every documented answer comes about, and is as documented", () => {
  it.each(document.responses)("$operation.operationId $status", async ({ operation, status }) => {
    for (const answer of await cook(apps, operation, status)) {
      expect(answer.status, answer.text).toBe(status);
      document.check(operation, answer);
    }
  });
});

it.each(document.operations)("$operationId gives no answer that is not documented", async (operation) => {
  for (const answer of await provoke(apps, operation)) document.check(operation, answer);
});

describe("what the document allows is accepted", () => {
  const bodies = document.operations.flatMap((operation) =>
    validBodies(operation).map((body) => ({ operation, body })),
  );
  it.each(bodies)("$operation.operationId $body", async ({ operation, body }) => {
    const { key, ids } = await resident(app, operation.operationId);
    const answer = await send(app, operation, {
      key,
      ids,
      ...(body === undefined ? { body: "" } : { json: body }),
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    document.check(operation, answer);
    // Its slug is another body's, too.
    for (const kind of ["links", "buckets"])
      await app.ask("DELETE", `/v1/${kind}/${linkOf(answer).id}`, { key });
  });

  it("an answer, sent back whole as a change", async () => {
    const { key, link, bucket } = await resident(app);
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

  const queries = document.operations.flatMap((operation) =>
    validQueries(operation).map((query) => ({ operation, query })),
  );
  it.each(queries)("$operation.operationId ?$query", async ({ operation, query }) => {
    const { key, ids } = await resident(app);
    const path = operation.path.replace("{id}", ids.link);
    const answer = await app.ask(operation.method, `${path}?${query}`, { key });
    expect(answer.status, answer.text).toBe(200);
    document.check(operation, answer);
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

it("describes every route that the app has registered under /v1 and no other", () => {
  const registered = app.app.routes.filter(({ method, path }) => path.startsWith("/v1") && method !== "ALL");
  const described = document.operations.filter(({ path }) => path.startsWith("/v1"));
  expect(new Set(registered.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set(described.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`)),
  );
});

it("closes every object of an answer, so that an undocumented field would show", () => {
  const open = [...walk(document.schemasOfAnswers)].filter(
    (schema) => schema["type"] === "object" && schema["additionalProperties"] !== false,
  );
  expect(open).toEqual([]);
});

it("is served as JSON, in OpenAPI 3.1, version 1.0.0, at the public address", () => {
  expect(description.headers.get("content-type")).toBe("application/json; charset=UTF-8");
  expect(description.json).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Terse", version: "1.0.0" },
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
    // Neither telemetry nor a look for newer versions: the tests need no network.
    {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  expect(stderr).not.toMatch(/warning/i);
});
