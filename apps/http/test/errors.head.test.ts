import { describe, expect, it } from "vitest";
import { expectRefusal } from "./expect-refusal.ts";
import { errorOf, linkOf, startApp } from "./client.ts";
import { readDocument } from "./document.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp();
const document = readDocument((await app.ask("GET", "/openapi.json")).json);
const { key, cookie } = await seedAccount(app);
const create = { json: { url: "https://example.com/" } };

describe("an Authorization header without a valid key", () => {
  const values: [string, string][] = [
    ["nothing", ""],
    ["spaces", "   "],
    ["Basic", "Basic dXNlcjpwYXNz"],
    ["a key without its scheme", key],
    ["Bearer without a key", "Bearer"],
    ["Bearer and a space", "Bearer "],
    ["another scheme", `Token ${key}`],
    ["a key in quotes", `Bearer "${key}"`],
    ["two keys", `Bearer ${key} ${key}`],
    ["two headers", `Bearer ${key}, Bearer ${key}`],
    ["more behind the key", `Bearer ${key},x=1`],
    ["the key in another case", `Bearer ${key.toUpperCase()}`],
    ["the key cut short", `Bearer ${key.slice(0, -1)}`],
    ["10 KB", `Bearer ${"x".repeat(10_000)}`],
    ["bytes beyond ASCII", "Bearer terse_\u00e9\u00ff"],
    ["a tab", `Bearer\t${key}`],
    ["SQL", "Bearer ' or '1'='1"],
  ];
  it.each(values)("is refused, even where none is needed: %s", async (_what, value) => {
    const headers = { Authorization: value };
    for (const answer of [
      await app.ask("GET", "/v1/me", { headers }),
      await app.ask("POST", "/v1/links", { ...create, headers }),
      await app.ask("GET", "/v1/me", { headers, cookie }),
    ]) {
      expectRefusal(answer, 401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="terse"');
    }
  });

  it("is accepted with its scheme in any case and several spaces", async () => {
    for (const value of [`bearer ${key}`, `BEARER   ${key}`, `Bearer ${key}  `]) {
      expect((await app.ask("GET", "/v1/me", { headers: { Authorization: value } })).status).toBe(200);
    }
  });
});

describe("cookies", () => {
  it.each([
    ["an unknown token", "session=nobody"],
    ["percent signs that encode nothing", "session=%ZZ%"],
    ["an encoded NUL", "session=%00"],
    ["10 KB", `session=${"x".repeat(10_000)}`],
    ["characters that no cookie may hold", 'session=a"b\\c'],
    ["bytes beyond ASCII", "session=\u00e9\u00ff"],
    ["SQL", "session=' or 1=1 --"],
    ["a bad one before a good one", `session=nobody; session=${cookie}`],
    ["a bad one after a good one", `session=${cookie}; session=nobody`],
    ["two good ones", `session=${cookie}; a=b;session=${cookie}`],
    ["a good one and an empty one", `session=${cookie}; session=`],
    ["__proto__ beside it", "__proto__=1; session=nobody"],
  ])("are refused if `session` is not valid, even where none is needed: %s", async (_what, value) => {
    const headers = { Cookie: value };
    expectRefusal(await app.ask("GET", "/v1/me", { headers }), 401);
    expectRefusal(await app.ask("POST", "/v1/links", { ...create, headers }), 401);
  });

  it.each([
    ["other names", "Session=x; sessions=y; xsession=z"],
    ["no names", "session; ;=;=x;;"],
    ["an empty value", "session="],
    ["__proto__", "__proto__=session"],
  ])("are ignored without a `session` among them: %s", async (_what, value) => {
    const headers = { Cookie: value };
    expectRefusal(await app.ask("GET", "/v1/me", { headers }), 401);
    expect((await app.ask("POST", "/v1/links", { ...create, headers })).status).toBe(201);
  });

  it("are found among others", async () => {
    const headers = { Cookie: `theme=dark; session=${cookie}; lang=de` };
    expect((await app.ask("GET", "/v1/me", { headers })).status).toBe(200);
  });
});

describe("an unknown path", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/links/",
    "/v1//links",
    "/V1/links",
    "/v1/links/a/b",
    "/v2/links",
    "/v1/links%2F",
    "/v1/%00",
    "/v1/%ZZ",
    "/v1/me/consents/x",
    "/nothing",
    "//evil.example/v1/links",
    `/v1/${"x".repeat(10_000)}`,
    "/.env",
    "/docs/../../etc/passwd",
    "/docs/%2e%2e%2fpackage.json",
    "/docs/swagger-ui.js.map",
    "/constructor",
  ])("is 404 in the envelope: %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) expectRefusal(await app.ask(method, path, { key }), 404);
  });

  it("is 404 with a query of 10 KB, too", async () => {
    expectRefusal(await app.ask("GET", `/v1/nothing?${"x".repeat(10_000)}`), 404);
    expect((await app.ask("GET", `/v1/me?${"x".repeat(10_000)}`, { key })).status).toBe(200);
  });
});

describe("a method that a path does not support", () => {
  const methodsOf = new Map<string, string[]>();
  for (const { path, method } of document.operations)
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);

  it.each([...methodsOf].map(([path, methods]) => ({ path, methods })))(
    "is refused with the supported ones in Allow: $path",
    async ({ path, methods }) => {
      for (const method of [
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
        "PROPFIND",
        "QUERY",
        "get-all",
      ]) {
        if (methods.includes(method)) continue;
        const answer = await app.ask(method, path.replace("{id}", "x"));
        expectRefusal(answer, 405);
        const allow = answer.headers.get("allow")?.split(", ") ?? [];
        expect(allow.toSorted()).toEqual(methods.toSorted());
      }
    },
  );

  it("has each supported one once in Allow, also on paths outside the document", async () => {
    const { routes } = app.app;
    const paths = new Set(
      routes.flatMap(({ path, method }) => (method === "ALL" || /[*:]/.test(path) ? [] : [path])),
    );
    for (const path of paths) {
      const { status, headers } = await app.ask("PROPFIND", path);
      if (status !== 405) continue;
      const allow = headers.get("allow")?.split(", ") ?? [];
      expect(allow, path).toEqual([...new Set(allow)]);
    }
  });

  it("HEAD has the answer of GET without its body", async () => {
    for (const path of ["/v1/me", "/v1/links", "/health", "/openapi.json", "/docs"]) {
      const [get, head] = [await app.ask("GET", path, { key }), await app.ask("HEAD", path, { key })];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      expect(head.headers.get("x-request-id")).not.toBeNull();
    }
    expect((await app.ask("HEAD", "/v1/me")).status).toBe(401);
  });
});

describe("forged headers", () => {
  const forged = {
    Host: "evil.example",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Port": "1",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-For": "203.0.113.9",
    "X-Original-URL": "/v1/keys",
    "X-Rewrite-URL": "/v1/keys",
    "X-HTTP-Method-Override": "DELETE",
    Forwarded: "host=evil.example;proto=https",
    Via: "1.1 evil.example",
  };
  it("change no answer", async () => {
    const link = linkOf(await app.ask("POST", "/v1/links", { ...create, headers: forged, key }));
    expect(link).toMatchObject({
      shortUrl: `http://short.test/${link.slug}`,
      short_url: `http://short.test/${link.slug}`,
      domain: "short.test",
    });
    const listed = await app.ask("GET", `/v1/links/${link.id}`, { headers: forged, key });
    expect(linkOf(listed)).toEqual(link);
    const page = await app.ask("GET", "/", { headers: forged });
    expect(page.text).toBe((await app.ask("GET", "/")).text);
    expect((await app.ask("GET", "/openapi.json", { headers: forged })).text).not.toContain("evil");
  });
});

it("every answer has the request id that it was asked with", async () => {
  for (const path of [
    "/health",
    "/openapi.json",
    "/docs",
    "/v1/me",
    "/nothing",
    "/trpc/users.me",
    "/trpc/x",
  ]) {
    const { headers } = await app.ask("GET", path, { headers: { "X-Request-Id": "7f3.b_2-C" } });
    expect(headers.get("x-request-id"), path).toBe("7f3.b_2-C");
  }
});

it("an unreachable database is 503 with Retry-After, and shows nothing internal", async () => {
  const away = await startApp({ databaseUrl: "postgresql://nobody:secret@127.0.0.1:1/none" });
  for (const answer of [
    await away.ask("GET", "/v1/me", { key }),
    await away.ask("GET", "/v1/me", { cookie }),
    await away.ask("POST", "/v1/links", create),
    await away.askTrpc("users.me", {}, { key }),
    await away.askTrpc("links.create", create.json),
  ]) {
    expect([answer.status, errorOf(answer)]).toEqual([
      503,
      "The database cannot be reached; try again shortly",
    ]);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.text).not.toMatch(/ECONN|secret|127\.0/);
  }
  expect((await away.ask("GET", "/health")).status).toBe(200);
});
