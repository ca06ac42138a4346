import { describe, expect, it } from "vitest";
import { fixtureOf, unknownIds } from "@terse/core/fixtures";
import { expectRefusal, expectTrpcError, expectTrpcRefusal } from "./expect-refusal.ts";
import { errorOf, definitionsOf, startApp } from "./client.ts";
import { readDocument } from "./document.ts";
import { seedAccount } from "./seeded-account.ts";
import { restRequest } from "./rest-request.ts";

const app = await startApp();
const document = readDocument((await app.ask("GET", "/openapi.json")).json);
const { key } = await seedAccount(app);
const mutations = document.operations.filter((operation) => document.bodySchemaOf(operation));
const trpcUrl = (name: string, input: string) => `/trpc/${name}?input=${encodeURIComponent(input)}`;

it("converts no text to numbers or booleans, as REST's query strings do", async () => {
  for (const input of ['{"page":"2"}', '{"limit":"5"}'])
    expectTrpcRefusal(await app.ask("GET", trpcUrl("links.list", input), { key }), 400);
  const marketing = { json: { marketing: "true" }, key };
  expectTrpcRefusal(await app.ask("POST", "/trpc/users.updateConsents", marketing), 400);
});

describe("a refusal has REST's message in tRPC's envelope", () => {
  it.each(mutations.map(({ operationId, method, path }) => ({ operationId, method, path })))(
    "$operationId",
    async ({ operationId, ...place }) => {
      const inputs = [
        { url: "javascript:alert(1)", marketing: 1, name: "", domain: "" },
        { url: 7, slug: "a b", marketing: null, name: [], domain: {} },
        { slug: "robots.txt", title: "x".repeat(300), marketing: "", name: "\u0000", domain: "127.1" },
      ];
      for (const input of inputs) {
        const whole = { ...fixtureOf(operationId).input(unknownIds), ...input };
        const [method, path, ask] = restRequest(place as Parameters<typeof restRequest>[0], whole);
        const rest = await app.ask(method, path, { ...ask, key });
        const trpc = await app.askTrpc(operationId, whole, { key });
        expectTrpcRefusal(trpc, rest.status);
        expect(errorOf(trpc)).toBe(errorOf(rest));
      }
    },
  );
});

describe("a malformed call", () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    app.ask("POST", "/trpc/links.create", { key, body, headers });

  it.each([
    ["broken JSON", "{"],
    ["a scalar", "7"],
    ["null", "null"],
    ["an array", "[]"],
    ["nothing", ""],
    ["invalid UTF-8", new Uint8Array([0x7b, 0xc3, 0x28])],
    ["gzip", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ])("is refused: %s", async (_what, body) => {
    expectTrpcRefusal(await post(body), 400);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])(
    "is refused with another content type: %j",
    async (type) =>
      expectTrpcRefusal(await post('{"url":"https://example.com/"}', { "Content-Type": type }), 415),
  );

  it.each(["multipart/form-data; boundary=x", "multipart/form-data", "application/octet-stream"])(
    "is refused as a form or a file: %s",
    async (type) => {
      const answer = await post("--x\r\nbroken", { "Content-Type": type });
      expectTrpcRefusal(answer);
      expect([400, 415]).toContain(answer.status);
    },
  );

  it("is refused as a form with fields", async () => {
    const form = new FormData();
    form.set("url", "https://example.com/");
    const body = new Response(form);
    const headers = { "Content-Type": body.headers.get("content-type") as string };
    expectTrpcRefusal(
      await app.ask("POST", "/trpc/links.create", { key, body: await body.text(), headers }),
      400,
    );
  });

  it.each([
    "",
    "/",
    "/nothing",
    "/links",
    "/links.nothing",
    "/__proto__",
    "/constructor",
    "/toString",
    "/links.__proto__",
    "/%00",
    "/links.create/x",
    "/_def",
    "/createCaller",
    `/${"x".repeat(10_000)}`,
  ])("of an unknown procedure is 404: %s", async (path) => {
    for (const method of ["GET", "POST"]) {
      const ask = method === "POST" ? { key, json: {} } : { key };
      expectTrpcRefusal(await app.ask(method, `/trpc${path}`, ask), 404);
    }
  });

  it.each([
    "connectionParams=",
    "connectionParams=x",
    "connectionParams={",
    "connectionParams=[1]",
    "input=%7B",
    "input=x",
    "batch=1&input=x",
    "batch=1&input=[]",
    "batch=1&input=7",
  ])("is refused for its query string: %s", async (query) => {
    const answer = await app.ask("GET", `/trpc/links.list?${query}`, { key });
    const [first] = Array.isArray(answer.json) ? answer.json : [answer.json];
    expect(answer.status, answer.text).toBe(400);
    expectTrpcError(first, 400);
  });
});

describe("methods", () => {
  it("call queries by GET and mutations by POST only", async () => {
    for (const [name, { type }] of Object.entries(definitionsOf(app.core.router))) {
      const input = JSON.stringify(fixtureOf(name).input(unknownIds));
      const wrong =
        type === "query"
          ? app.ask("POST", `/trpc/${name}`, { key, body: input })
          : app.ask("GET", trpcUrl(name, input), { key });
      const answer = await wrong;
      expectTrpcRefusal(answer, 405);
      expect(errorOf(answer)).toBe("Queries are called with GET, mutations with POST");
    }
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("refuse %s", async (method) => {
    for (const path of ["/trpc/links.create", "/trpc/links.list", "/trpc/nothing", "/trpc"]) {
      const answer = await app.ask(method, path, { key });
      expectRefusal(answer, 405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
    }
  });

  it("HEAD has no body and changes nothing", async () => {
    const fresh = await app.key();
    const url = trpcUrl("users.updateConsents", '{"marketing":true}');
    const answer = await app.ask("HEAD", url, { key: fresh.key });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    const consents = await app.askTrpc("users.updateConsents", {}, { key: fresh.key });
    expect(consents.json).toEqual({ result: { data: { marketing: false } } });
  });
});

describe("batches", () => {
  const batch = (names: string[], inputs: unknown, ask = { key }) =>
    app.ask("POST", `/trpc/${names.join(",")}?batch=1`, { json: inputs, ...ask });

  it("fail one call at a time", async () => {
    const answer = await batch(["links.create", "links.create"], {
      0: { url: "x" },
      1: { url: "https://example.com/" },
    });
    expect(answer.status).toBe(207);
    const [bad, good] = answer.json as unknown[];
    expectTrpcError(bad, 400);
    expect(good).toHaveProperty("result.data.destination", "https://example.com/");
  });

  it("are refused as a whole if the credential is bad", async () => {
    const answer = await batch(["links.create", "users.updateConsents"], {}, { key: "terse_unknown" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="terse"');
    for (const call of answer.json as unknown[]) expectTrpcError(call, 401);
  });

  it("hold 20 calls and no more", async () => {
    const names = (count: number) => Array.from({ length: count }, () => "users.me").join(",");
    const ask = (count: number) => app.ask("GET", `/trpc/${names(count)}?batch=1`, { key });
    expect((await ask(20)).status).toBe(200);
    const answer = await ask(21);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain("result");
    expect(answer.text).toContain("The batch has too many calls: send at most 20 at once");
  });

  it("ask for 300 items in lists, 3 searches, 7 reports, 12 QR codes, or 3 of them as PNG", async () => {
    const ask = (name: string, count: number, input: object) => {
      const inputs = Object.fromEntries(Array.from({ length: count }, (_, at) => [at, input]));
      const names = Array.from({ length: count }, () => name).join(",");
      return app.ask("GET", `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`, {
        key,
      });
    };
    for (const [name, most, input] of [
      ["links.list", 15, {}],
      ["links%2Elist", 3, { limit: 100 }],
      ["links.list", 3, { limit: 1, search: "a" }],
      ["buckets.list", 3, {}],
      ["analytics.overview", 7, {}],
      ["links.qr", 12, { id: "x", dots: "dots" }],
      ["links.qr", 3, { id: "x", format: "png", dots: "dots" }],
    ] as const) {
      expect((await ask(name, most, input)).text).not.toContain("asks for too much");
      const refused = await ask(name, most + 1, input);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("its lists may request 300 items in total");
    }
    expect((await ask("links.list", 20, { limit: "many" })).text).toContain("limit: ");
    const logos = (count: number) =>
      batch(
        Array.from({ length: count }, () => "links.setQrLogo"),
        Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { image: "AAAA" }])),
      );
    expect((await logos(3)).text).toContain("must be a PNG, JPEG or WebP image");
    expect((await logos(4)).text).toContain("and a PNG or an upload as 100");
  });

  it("with unknown procedures, or without any, are refused", async () => {
    for (const names of [["nothing", "users.me"], [""], ["", ""], ["__proto__"]]) {
      const answer = await app.ask("GET", `/trpc/${names.join(",")}?batch=1`, { key });
      expect(answer.status).toBeLessThan(500);
      expectTrpcError((answer.json as unknown[])[0], 404);
    }
  });

  it("show nothing internal when they are streamed", async () => {
    const headers = {
      "trpc-accept": "application/jsonl",
      "Content-Type": "application/json",
      Authorization: `Bearer ${key}`,
    };
    const body = '{"0":{"url":7},"1":null}';
    const path = "/trpc/links.create,links.create?batch=1";
    const text = await (await app.app.request(path, { method: "POST", headers, body })).text();
    expect(text).toContain("url: expected string, received number");
    expect(text).not.toMatch(/stack|\.ts|node_modules/);
  });

  it("take no input from __proto__", async () => {
    const body = '{"__proto__":{"0":{"url":"https://example.com/"}}}';
    const answer = await app.ask("POST", "/trpc/links.create?batch=1", { key, body });
    expect(answer.status).toBe(400);
  });
});

describe("a body that is too large", () => {
  it("is refused in tRPC's envelope", async () => {
    const answer = await app.ask("POST", "/trpc/links.create", { key, body: "x".repeat(100_000) });
    expectTrpcRefusal(answer, 413);
    expect(errorOf(answer)).toBe("The body must have at most 65536 bytes");
  });

  it("is 401 or 403 before it is 413 or 400", async () => {
    const body = "x".repeat(100_000);
    expectTrpcRefusal(await app.ask("POST", "/trpc/keys.create", { body }), 401);
  });
});
