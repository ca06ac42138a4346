import { afterAll, describe, expect, it } from "vitest";
import { issueCodes } from "@terse/core";
import { exchange } from "@terse/testkit";
import { type Answer, type Ask, errorOf, linkOf, startApp, type TestApp } from "./client.ts";
import { readDocument, type Schema } from "./document.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp();
const limited = await startApp({ rateLimits: { free: 1, pro: 1, enterprise: 1 } });
const away = await startApp({ databaseUrl: "postgresql://127.0.0.1:1/terse" });
const { key, cookie } = await seedAccount(app);
const document = readDocument((await app.ask("GET", "/openapi.json")).json);
const creation = document.operations.find(({ operationId }) => operationId === "links.create");
const schema = creation?.responses[400]?.content?.["application/problem+json"]?.schema as Schema;

const problems = { Accept: "application/problem+json" };
const slug = "taken-already";
await app.ask("POST", "/v1/links", { key, json: { url: "https://example.com/", slug } });
const used = { "Idempotency-Key": "used" };
await app.ask("POST", "/v1/links", { key, json: { url: "https://example.com/" }, headers: used });

interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  issues: { path: (string | number)[]; code: string; message: string; params?: object }[];
}

const problemIn = ({ text, headers }: Answer): Problem => {
  expect(headers.get("content-type")).toBe("application/problem+json");
  const problem = JSON.parse(text) as Problem;
  expect(document.faultsOf(schema, problem)).toBeNull();
  return problem;
};

const url = "https://example.com/";
const refusals: [
  what: string,
  status: number,
  title: string,
  code: string,
  of: string,
  path: string,
  ask: Ask,
][] = [
  ["a wrong field", 400, "Bad Request", "wrong_type", "POST", "/v1/links", { key, json: { url: 1 } }],
  ["broken JSON", 400, "Bad Request", "invalid", "POST", "/v1/links", { key, body: '{"url":' }],
  ["a repeated parameter", 400, "Bad Request", "too_many", "GET", "/v1/links?page=1&page=2", { key }],
  ["no credential", 401, "Unauthorized", "unauthenticated", "GET", "/v1/me", {}],
  [
    "a request from another site",
    403,
    "Forbidden",
    "forbidden",
    "POST",
    "/v1/links",
    { cookie, json: { url }, headers: { Origin: "https://evil.example" } },
  ],
  ["no such link", 404, "Not Found", "not_found", "GET", "/v1/links/none", { key }],
  ["no such path", 404, "Not Found", "not_found", "GET", "/v1/nothing", { key }],
  ["another method", 405, "Method Not Allowed", "method_not_allowed", "PATCH", "/v1/links", { key }],
  ["a slug that is taken", 409, "Conflict", "slug_taken", "POST", "/v1/links", { key, json: { url, slug } }],
  [
    "a body that is too large",
    413,
    "Payload Too Large",
    "body_too_large",
    "POST",
    "/v1/links",
    { key, body: " ".repeat(70_000) },
  ],
  [
    "another media type",
    415,
    "Unsupported Media Type",
    "wrong_media_type",
    "POST",
    "/v1/links",
    { key, body: "x", headers: { "Content-Type": "text/plain" } },
  ],
  [
    "a key that was used for another request",
    422,
    "Unprocessable Entity",
    "key_reused",
    "POST",
    "/v1/links",
    { key, json: { url: `${url}other` }, headers: used },
  ],
];

describe("problem details", () => {
  it.each(refusals)("say the same as the envelope: %s", async (_, status, title, code, method, path, ask) => {
    const headers = { ...ask.headers, ...problems };
    const envelope = await app.ask(method, path, ask);
    const answer = await app.ask(method, path, { ...ask, headers });
    const { issues, instance, ...problem } = problemIn(answer);
    expect(problem).toEqual({
      type: `http://api.test/docs/errors#${status}`,
      title,
      status,
      detail: errorOf(envelope),
    });
    expect([answer.status, envelope.status]).toEqual([status, status]);
    expect(issues[0]?.code).toBe(code);
    expect(instance).toBe(`urn:uuid:${answer.headers.get("x-request-id")}`);
    for (const name of ["allow", "cache-control", "www-authenticate"])
      expect(answer.headers.get(name), name).toBe(envelope.headers.get(name));
    expect(answer.headers.get("vary")).toBe("Accept");
  });

  it.each<[TestApp, number, string]>([
    [limited, 429, "rate_limited"],
    [away, 503, "unavailable"],
  ])("say when to try again", async (service, status, code) => {
    const ask = { json: { url }, headers: problems, ...(service === limited && (await service.key())) };
    const answers = [
      await service.ask("POST", "/v1/links", ask),
      await service.ask("POST", "/v1/links", ask),
    ];
    const answer = answers[1] as Answer;
    expect(problemIn(answer)).toMatchObject({ status, issues: [{ code }] });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("have everything that is wrong, by field", async () => {
    const json = { url: "ftp://example.com/", slug: "a b", title: 1, rules: [{ when: {}, url: "x" }] };
    const { issues, detail } = problemIn(
      await app.ask("POST", "/v1/links", { key, json, headers: problems }),
    );
    expect(issues.map(({ path }) => path.join("."))).toEqual(
      expect.arrayContaining(["url", "slug", "title"]),
    );
    for (const { code } of issues) expect(issueCodes).toContain(code);
    const [first] = issues;
    expect(detail).toBe(`${first?.path.join(".")}: ${first?.message}`);
  });

  it.each([
    ["application/problem+json", true],
    ["Application/Problem+JSON; q=0.3", true],
    ["application/json, application/problem+json", true],
    ["application/problem+json, */*", true],
    ["application/problem+json, */*;q=0.1", true],
    ["application/json;q=0.5, application/problem+json;q=0.6", true],
    ["application/json, application/problem+json;q=0.9", false],
    ["application/*, application/problem+json;q=0.9", false],
    ["application/problem+json;q=0, */*", false],
    ["application/problem+xml", false],
    ["application/json", false],
    ["*/*", false],
    ["", false],
  ])("are for clients that prefer them: %s", async (Accept, isProblem) => {
    const { headers, json } = await app.ask("GET", "/v1/links/none", { key, headers: { Accept } });
    expect(headers.get("content-type")).toBe(isProblem ? "application/problem+json" : "application/json");
    expect(headers.get("vary")).toBe(isProblem ? "Accept" : null);
    if (!isProblem) expect(json).toEqual({ data: null, error: "Link not found", meta: null });
  });

  it("have the caller's own id of the request, if it is no UUID", async () => {
    const headers = { ...problems, "X-Request-Id": "mine.1" };
    expect(problemIn(await app.ask("GET", "/v1/nothing", { headers })).instance).toBe("#mine.1");
  });

  it("are for errors only: answers stay in the envelope, and files as they are", async () => {
    const created = await app.ask("POST", "/v1/links", { key, json: { url }, headers: problems });
    expect(created.headers.get("content-type")).toBe("application/json");
    const qr = `/v1/links/${linkOf(created).id}/qr`;
    const file = await app.ask("GET", qr, { key, headers: problems });
    expect(file.headers.get("content-type")).toBe("image/svg+xml");
    const headers = { ...problems, "If-None-Match": file.headers.get("etag") ?? "" };
    expect(await app.ask("GET", qr, { key, headers })).toMatchObject({ status: 304, text: "" });
    const refused = await app.ask("GET", `${qr}?size=1`, { key, headers });
    expect(problemIn(refused)).toMatchObject({ status: 400, issues: [{ path: ["size"] }] });
    expect(refused.headers.get("etag")).toBeNull();
    const stream = await app.ask("GET", "/v1/links/export?format=xml", { key, headers: problems });
    expect(problemIn(stream)).toMatchObject({ status: 400, issues: [{ path: ["format"] }] });
  });

  it("have types that lead to the page about errors, which explains every code", async () => {
    const { type } = problemIn(await app.ask("GET", "/v1/nothing", { headers: problems }));
    const { pathname, hash } = new URL(type);
    const { status, text } = await app.ask("GET", pathname);
    expect(status).toBe(200);
    for (const anchor of [hash.slice(1), ...issueCodes]) expect(text).toContain(` id="${anchor}"`);
  });
});

describe("over a real connection", async () => {
  const server = await app.listen();
  afterAll(() => server.close(0));
  const send = (method: string, path: string, lines: string[]) =>
    exchange(
      server.port,
      [
        `${method} ${path} HTTP/1.1`,
        "Connection: close",
        "Accept: application/problem+json",
        ...lines,
        "",
        "",
      ].join("\r\n"),
    );

  it("HEAD has the type and length of problem details, and no body", async () => {
    const { status, headers, body } = await send("HEAD", "/v1/nothing", ["Host: api.test"]);
    expect([status, headers.get("content-type"), body]).toEqual([404, "application/problem+json", ""]);
  });

  it("a request that reaches no app is refused by problem details, too", async () => {
    const { status, headers, body } = await send("GET", "/v1/me", []);
    expect([status, headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    const problem = JSON.parse(body) as Problem;
    expect(document.faultsOf(schema, problem)).toBeNull();
    expect(problem).toMatchObject({
      type: "about:blank",
      title: "Bad Request",
      issues: [{ code: "invalid" }],
    });
  });
});
