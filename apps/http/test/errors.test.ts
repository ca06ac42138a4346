import { describe, expect, it } from "vitest";
import { badTexts, placesOf, textsFor } from "./malformed-json.ts";
import { expectRefusal } from "./expect-refusal.ts";
import { type Answer, errorOf, linkOf, startApp } from "./client.ts";
import { readDocument } from "./document.ts";
import { seedAccount } from "./seeded-account.ts";
import { minimalObject } from "./schema-values.ts";
import { credentialFor, send } from "./status-scenarios.ts";

const app = await startApp();
const document = readDocument((await app.ask("GET", "/openapi.json")).json);
const { key, cookie, ids } = await seedAccount(app);

/** Its body is a file of any service, so that hardly any text is refused at once; its own tests say what is. */
const takesFile = ({ operationId }: { operationId: string }) => operationId === "imports.create";
const withJson = document.operations.filter(
  (operation) => document.bodySchemaOf(operation) && !takesFile(operation),
);

/** An account with the credential that the operation accepts */
const as = (
  operation: (typeof withJson)[number],
  account: { ids: typeof ids; key: string; cookie: string },
) => ({ ...credentialFor(operation, account), ids: account.ids });

const rowStatus = ({ json }: Answer) =>
  (json as { data: { results: { status: number }[] } }).data.results[0]?.status;

describe("a body with something wrong in one place", () => {
  const places = withJson.flatMap((operation) => {
    const schema = document.bodySchemaOf(operation);
    return schema ? [...placesOf(schema)].map((place) => ({ operation, schema, ...place })) : [];
  });

  // Links, buckets and webhooks are changed, drafted and changed in bulk with the fields that they are created with.
  const fieldOf = ({ operation, name }: (typeof places)[number]) =>
    `${operation.operationId.split(".")[0]} ${name.replace(/^body\.(?:links\.0|set|draft)\./, "body.")}`;
  const isCreation = ({ operation }: (typeof places)[number]) => operation.operationId.endsWith(".create");
  const created = new Set(places.filter(isCreation).map(fieldOf));
  const isRepeated = (place: (typeof places)[number]) =>
    place.name !== "body" &&
    !isCreation(place) &&
    (created.has(fieldOf(place)) ||
      /^links.(?:bulkDelete|transfer) body.filter/.test(`${place.operation.operationId} ${place.name}`));
  it.each(places.filter((place) => !isRepeated(place)))("$operation.operationId $name", (place) =>
    isRefused(place, textsFor(place.field)),
  );
  it.each(places)("every text: $operation.operationId $name", { tags: ["long"] }, (place) =>
    isRefused(place, badTexts),
  );

  async function isRefused(
    { operation, name, schema, bodyWith }: (typeof places)[number],
    texts: readonly string[],
  ) {
    // Bulk operations have a limit a minute and account.
    const sender = /^links\.(?:bulk|transfer)/.test(operation.operationId)
      ? await seedAccount(app)
      : { ...credentialFor(operation, { key, cookie }), ids };
    // A row of a bulk creation has a status of its own.
    const isRow = operation.operationId === "links.bulkCreate" && name.startsWith("body.links");
    for (const text of texts) {
      const body = bodyWith(text);
      const answer = await send(app, operation, { ...sender, body });
      const about = `${body.slice(0, 200)}: ${answer.text}`;
      expect(Object.keys(operation.responses), about).toContain(String(answer.status));
      const status = isRow && answer.status === 201 ? rowStatus(answer) : answer.status;
      if (document.faultsOf(schema, JSON.parse(body))) expect(status, about).toBe(400);
      if (answer.status >= 400) expectRefusal(answer);
      else document.check(operation, answer);
    }
  }
});

describe("a body with an unknown field", () => {
  it.each(withJson)(
    "is refused with an error that names it and the known ones: $operationId",
    async (operation) => {
      const { ids: own, ...account } = await seedAccount(app);
      const credential = credentialFor(operation, account);
      const answer = await send(app, operation, { ...credential, ids: own, input: { expires: 1 } });
      expectRefusal(answer, 400);
      expect(errorOf(answer)).toMatch(/^expires: no such field; the known ones are [a-z_]+/);
      expect(document.bodySchemaOf(operation)).toMatchObject({ additionalProperties: false });
    },
  );
});

describe("a query string with something wrong in one place", () => {
  const values = [
    "",
    "%00",
    "a%00b",
    "%ED%A0%80",
    "%FF",
    "%ZZ",
    "%",
    "-1",
    "0",
    "1.5",
    "1e3",
    "0x10",
    "%20",
    "null",
  ];
  const more = ["NaN", "9".repeat(400), "x".repeat(10_000), "[]", "%7B%7D", "%D9%A3", "1&{name}=2"];
  const parameters = document.operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map(({ name, schema }) => ({ operation, name, shape: `${name} ${JSON.stringify(schema)}` })),
  );
  // Reports and lists share their filters: the first operation stands for the others.
  const isFirst = ({ shape }: (typeof parameters)[number], at: number) =>
    parameters.findIndex((each) => each.shape === shape) === at;
  const title = "$operation.operationId $name";
  it.each(parameters.filter(isFirst))(title, isRefusedOrRead);
  it.each(parameters.filter((each, at) => !isFirst(each, at)))(title, { tags: ["long"] }, isRefusedOrRead);

  async function isRefusedOrRead({ operation, name }: (typeof parameters)[number]): Promise<void> {
    for (const value of [...values, ...more]) {
      // An account imports only so often a minute.
      const ask = takesFile(operation)
        ? { key: (await seedAccount(app)).key, json: { content: "https://example.com/" } }
        : credentialFor(operation, { key, cookie });
      const query = `${name}=${value.replace("{name}", name)}`;
      const path = operation.path.replace("{id}", ids.link);
      const answer = await app.ask(operation.method, `${path}?${query}`, ask);
      // A malformed id is answered like an unknown one.
      const isOfLink = name === "linkId" || operation.operationId === "links.locate";
      expect([200, 202, 400, ...(isOfLink ? [404] : [])], answer.text).toContain(answer.status);
      if (answer.status >= 400) expectRefusal(answer);
      else document.check(operation, answer);
    }
  }

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=x",
    "page=",
    "page=1e3",
    "limit=0",
    "limit=101",
    "limit=9e9",
    "limit=5&limit=6",
  ])("refuses %s, naming the field", async (query) => {
    const answer = await app.ask("GET", `/v1/links?${query}`, { key });
    expectRefusal(answer, 400);
    expect(errorOf(answer)).toMatch(new RegExp(`^${query.split("=")[0]}\\b`));
  });

  it("ignores parameters that an operation does not have", async () => {
    const { link } = await seedAccount(app);
    const query = "?id=a&id=b&limit=x&__proto__=1&%00=%00";
    expectRefusal(await app.ask("GET", `/v1/links/${link.id}${query}`, { key }), 404);
    expect((await app.ask("GET", `/v1/me${query}`, { key })).status).toBe(200);
  });
});

describe("a malformed id", () => {
  const weird = ["%00", "%ZZ", "%", "%2e%2e", "a%2Fb", "%ED%A0%80", "%FF", "x".repeat(10_000), "__proto__"];
  const more = [
    "constructor",
    "*",
    "😀",
    "null",
    "0",
    "%20",
    ":id",
    "{id}",
    ids.link.toUpperCase(),
    `${ids.link}%0A`,
  ];
  const routes = document.operations.filter(({ path }) => path.includes("{id}"));
  /** The smallest body of the operations that need one. */
  const bodies: Record<string, object> = Object.fromEntries(
    routes.flatMap((operation) => {
      const schema = document.bodySchemaOf(operation);
      return schema
        ? [
            [
              operation.operationId,
              { ...minimalObject(schema), ...(operation.method === "PUT" && { slug: "x" }) },
            ],
          ]
        : [];
    }),
  );
  it.each(routes)("is 404: $operationId", async ({ operationId, method, path, requestBody }) => {
    const [type] = Object.keys(requestBody?.content ?? {});
    const isFile = type !== undefined && type !== "application/json";
    // Undoing has a limit a minute and account.
    const sender = operationId === "changes.undo" ? await seedAccount(app) : { cookie };
    for (const id of [...weird, ...more]) {
      // Some operations refuse keys.
      const file = { body: "a file", headers: { "Content-Type": type ?? "" } };
      const json = bodies[operationId];
      const ask = { cookie: sender.cookie, ...(isFile ? file : json && { json }) };
      expectRefusal(await app.ask(method, path.replace("{id}", id), ask), 404);
    }
  });
});

describe("a body that is not a JSON object", () => {
  const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["broken JSON", '{"url":'],
    ["two objects", "{}{}"],
    ["a comment", "{} // why not"],
    ["single quotes", "{'url':'https://example.com/'}"],
    ["null", "null"],
    ["a string", '"https://example.com/"'],
    ["a number", "7"],
    ["an array", '[{"url":"https://example.com/"}]'],
    ["spaces", "   "],
    ["invalid UTF-8", new Uint8Array([...Buffer.from('{"title":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
    ["UTF-16", new Uint8Array(Buffer.from('{"url":"https://example.com/"}', "utf16le"))],
    ["gzip", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ["a raw NUL", "\u0000"],
    ["a NUL within a string", '{"url":"https://example.com/\u0000"}'],
  ];
  it.each(bodies)("is refused: %s", async (_what, body) => {
    const sender = await seedAccount(app); // Bulk operations have a limit a minute and account.
    for (const operation of withJson)
      expectRefusal(await send(app, operation, { ...as(operation, sender), body }), 400);
  });

  it("is refused if it is missing where one is required", async () => {
    const answer = await app.ask("POST", "/v1/links");
    expectRefusal(answer, 400);
    expect(errorOf(answer)).toBe("A JSON object is required");
  });

  it("repeats of a name override earlier ones, and __proto__ is an ordinary name", async () => {
    const twice = '{"url":"javascript:alert(1)","url":"https://example.com/last"';
    const link = linkOf(await app.ask("POST", "/v1/links", { body: `${twice}}` }));
    expect(link.destination).toBe("https://example.com/last");
    const answer = await app.ask("POST", "/v1/links", { body: `${twice},"__proto__":{"slug":"inherited"}}` });
    expectRefusal(answer, 400);
    expect(errorOf(answer)).toMatch(/^__proto__: no such field/);
  });

  it("may start with a byte order mark", async () => {
    const body = `\uFEFF{"url":"https://example.com/"}`;
    expect((await app.ask("POST", "/v1/links", { body })).status).toBe(201);
  });
});

describe("a content type", () => {
  const body = '{"url":"https://example.com/"}';
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/problem+json",
    "application/json, text/plain",
    "text/html; application/json",
    "*/*",
    "json",
    "",
  ])("is refused: %j", async (type) => {
    expectRefusal(await app.ask("POST", "/v1/links", { body, headers: { "Content-Type": type } }), 415);
  });

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json;x",
    " application/json ",
  ])("is accepted: %j", async (type) => {
    const answer = await app.ask("POST", "/v1/links", { body, headers: { "Content-Type": type } });
    expect(answer.status, answer.text).toBe(201);
  });

  it.each(["gzip", "br", "deflate", "x, gzip"])(
    "is refused with a content encoding: %s",
    async (encoding) => {
      expectRefusal(
        await app.ask("POST", "/v1/links", { body, headers: { "Content-Encoding": encoding } }),
        415,
      );
    },
  );
});

describe("a body that is too large", () => {
  const chunked = (size: number) =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(16_384).fill(32));
        size -= 16_384;
        if (size <= 0) controller.close();
      },
    });

  it("is refused with and without a Content-Length", async () => {
    const sender = await seedAccount(app);
    for (const operation of withJson) {
      expectRefusal(
        await send(app, operation, { ...as(operation, sender), body: "x".repeat(2_200_000) }),
        413,
      );
      expectRefusal(await send(app, operation, { ...as(operation, sender), body: chunked(2_200_000) }), 413);
      expectRefusal(
        await send(app, operation, {
          ...as(operation, sender),
          body: " ",
          headers: { "Content-Length": "2200000" },
        }),
        413,
      );
    }
  });

  it("is refused beyond 20 MiB as a file of links, after the caller is known", async () => {
    const pro = await app.key("pro");
    const headers = { "Content-Type": "text/csv", "Content-Length": String(20 * 2 ** 20 + 1) };
    expectRefusal(await app.ask("POST", "/v1/imports", { key: pro.key, body: " ", headers }), 413);
    expectRefusal(await app.ask("POST", "/v1/imports", { body: " ", headers }), 401);
  });

  it("is accepted up to exactly 65,536 bytes", async () => {
    const body = (size: number) => '{"url":"https://example.com/"}'.padEnd(size);
    expect((await app.ask("POST", "/v1/links", { body: body(65_536) })).status).toBe(201);
    expectRefusal(await app.ask("POST", "/v1/links", { body: body(65_537) }), 413);
  });

  it("is 401 or 403 before it is 413 or 400", async () => {
    expectRefusal(await app.ask("POST", "/v1/keys", { body: "x".repeat(100_000) }), 401);
    expectRefusal(await app.ask("POST", "/v1/keys", { body: "{" }), 401);
    const free = await app.key("free");
    expectRefusal(await app.ask("POST", "/v1/keys", { key: free.key, body: "{" }), 403);
  });
});
