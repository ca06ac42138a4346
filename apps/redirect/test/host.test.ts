import { createCore } from "@terse/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { challengeOf, prove, startDns } from "@terse/testkit/dns";
import { until } from "@terse/testkit";
import { second } from "../../../packages/core/test/helpers.ts";
import { createApp, createTestApp, type TestApp } from "./app.ts";
import { ask } from "./raw.ts";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";

const dns = await startDns();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, { dnsServers: [dns.address] });
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

const there = (path: string) => `https://example.com/${path}`;

/** Creates an account with a verified domain. */
async function owner(domain: string) {
  const { domains, links } = app.core.caller(await app.actor("pro"));
  const made = await domains.create({ domain });
  prove(dns, domain, challengeOf(made));
  expect((await domains.verify({ id: made.id })).status).toBe("verified");
  const link = (input: Partial<Parameters<typeof links.create>[0]> = {}) =>
    links.create({ url: there("there"), domain, ...input });
  return { id: made.id, domains, links, link };
}

describe("the fixed paths", () => {
  it("are the same on the own host and on custom domains", async () => {
    await owner("files.example.com");
    for (const host of ["short.test", "SHORT.test:3001", "files.example.com"]) {
      expect(await (await app.get("/robots.txt", { headers: { host } })).text()).toBe(
        "User-agent: *\nDisallow:\n",
      );
      const icon = await app.get("/favicon.ico", { headers: { host } });
      expect(icon.headers.get("content-type")).toBe("image/svg+xml");
      expect(icon.headers.get("cache-control")).toBe("public, max-age=86400");
    }
  });

  it("except /health do not exist on a host that is not served", async () => {
    const { domains } = app.core.caller(await app.actor("pro"));
    await domains.create({ domain: "unproven.example.com" });
    for (const host of ["other.test", "unproven.example.com", "127.0.0.1", ""]) {
      const health = await app.get("/health", { headers: { host } });
      expect(await health.json()).toEqual({ status: "ok", service: "terse-redirect" });
      for (const path of ["/robots.txt", "/favicon.ico", "/", "/nope"]) {
        for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
          const { status } = await app.get(path, { method, headers: { host } });
          expect([host, path, method, status]).toEqual([host, path, method, 404]);
        }
      }
    }
  });

  it("are read-only", async () => {
    for (const path of ["/health", "/robots.txt", "/favicon.ico"]) {
      const answer = await app.get(path, { method: "DELETE" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("a custom domain", () => {
  const at = (host: string, path: string, init?: RequestInit) =>
    app.get(path, { ...init, headers: { host } });
  const locationOf = async (answer: Promise<Response>) => {
    const { status, headers } = await answer;
    return [status, headers.get("location")];
  };

  it("serves its links, in any spelling of Host", async () => {
    const { link } = await owner("go.example.com");
    const { slug, shortUrl } = await link({ url: there("go") });
    expect(shortUrl).toBe(`http://go.example.com/${slug}`);
    for (const host of ["go.example.com", "GO.Example.com", "go.example.com:8443", "go.example.com."]) {
      expect(await locationOf(at(host, `/${slug}`))).toEqual([302, there("go")]);
      expect(await locationOf(at(host, `/${slug}`, { method: "HEAD" }))).toEqual([302, there("go")]);
    }
  });

  it("serves only its own links, and no other host serves them", async () => {
    const [a] = [await owner("a.example.com"), await owner("b.example.com")];
    const { slug } = await a.link();
    for (const host of ["b.example.com", "short.test", "www.a.example.com", "203.0.113.7"]) {
      expect((await at(host, `/${slug}`)).status).toBe(404);
    }
    const own = await app.link();
    expect((await at("a.example.com", `/${own.slug}`)).status).toBe(404);
  });

  it("serves nothing from a second after its deletion until it is verified again", async () => {
    const domain = "g.example.com";
    app.core.redirects.watch();
    const { link, domains, id } = await owner(domain);
    const { slug } = await link();
    const status = async () => (await at(domain, `/${slug}`)).status;
    expect(await status()).toBe(302);
    await domains.delete({ id });
    await until(async () => (await status()) === 404, second);
    const unknown = await at("unknown.example.com", `/${slug}`);
    expect(await (await at(domain, `/${slug}`)).text()).toBe(await unknown.text());

    const again = await domains.create({ domain });
    expect(await status()).toBe(404);
    prove(dns, domain, challengeOf(again));
    await domains.verify({ id });
    await until(async () => (await status()) === 302, second);
  });

  it("does not serve the links of its previous owner", async () => {
    const domain = "h.example.com";
    app.core.redirects.watch();
    const first = await owner(domain);
    const { slug } = await first.link({ url: there("first") });
    expect((await at(domain, `/${slug}`)).status).toBe(302);
    await first.domains.delete({ id: first.id });
    const next = await owner(domain);
    const mine = await next.link({ url: there("next") });
    const leadsOn = async () => (await at(domain, `/${mine.slug}`)).status === 302;
    await until(leadsOn, second);
    expect(await locationOf(at(domain, `/${mine.slug}`))).toEqual([302, there("next")]);
    expect((await at(domain, `/${slug}`)).status).toBe(404);
  });
});

describe("every answer", () => {
  const paths = ["/health", "/robots.txt", "/nope", "/", "/%"];

  it("has a request id, the caller's own if it is safe", async () => {
    for (const path of paths) {
      expect((await app.get(path)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      const given = await app.get(path, { headers: { "x-request-id": "abc-1" } });
      expect(given.headers.get("x-request-id")).toBe("abc-1");
      expect(given.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("is logged, without query and password", async () => {
    app.lines.length = 0;
    const { slug } = await app.link({ password: "secret-word" });
    await app.post(`/${slug}?token=in-query`, "secret-word");
    expect(app.lines).toEqual([
      expect.objectContaining({ method: "POST", path: `/${slug}`, status: 303, msg: "request" }),
    ]);
    expect(JSON.stringify(app.lines)).not.toMatch(/secret-word|in-query/);
  });
});

describe("a failure", () => {
  const textOf = async (answer: Response) => (await answer.text()).replace(/<style>.*<\/style>/s, "");

  it("to reach the database is a 503 with Retry-After", async () => {
    const proxy = await startTcpProxy(app.databaseUrl);
    const core = await createCore({ databaseUrl: proxy.url, shortBase: "http://short.test" });
    const { get } = createApp(core);
    expect((await get("/any")).status).toBe(404);
    await proxy.stop();
    for (let n = 0; n < 3; n++) {
      const answer = await get(`/any${n}`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(answer.headers.get("x-request-id")).not.toBeNull();
      const page = await textOf(answer);
      expect(page).toContain("Back in a moment");
      expect(page).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|database/);
    }
    expect((await get("/health")).status).toBe(200);
    await core.close();
  });

  it("of our own reveals nothing internal, but is logged completely", async () => {
    const unknown = new URL(app.databaseUrl);
    unknown.pathname = "/nowhere";
    const core = await createCore({ databaseUrl: unknown.href, shortBase: "http://short.test" });
    const { get, lines } = createApp(core);
    const answer = await get("/any", { headers: { accept: "application/json" } });
    const page = await textOf(answer);
    expect(answer.status).toBe(500);
    expect(page).toContain("Something went wrong");
    expect(page).not.toMatch(/database|select|Error|\.ts/);
    expect(lines).toEqual([expect.objectContaining({ level: "error", status: 500 })]);
    expect(JSON.stringify(lines)).toContain("nowhere");
    await core.close();
  });

  it("to find the schema, which a starting node may be creating, is a 503", async () => {
    const noSchema = new URL(app.databaseUrl);
    noSchema.pathname = "/postgres";
    const core = await createCore({ databaseUrl: noSchema.href, shortBase: "http://short.test" });
    const { get } = createApp(core);
    expect((await get("/any")).status).toBe(503);
    await core.close();
  });
});

describe("with a SHORT_BASE of https", async () => {
  const secure = await createTestApp({ SHORT_BASE: "https://short.test" });
  afterAll(() => secure.close());

  it("browsers must use https, on the service's own host and not on custom domains", async () => {
    const { slug } = await secure.link();
    const own = [await secure.get(`/${slug}`), await secure.get("/nope"), await secure.get("/health")];
    const { port } = await secure.serve();
    for (const { headers } of [...own, await ask(port, `/${slug}`)])
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    const elsewhere = await secure.get("/health", { headers: { host: "go.example.com" } });
    expect(elsewhere.headers.get("strict-transport-security")).toBeNull();
  });
});
