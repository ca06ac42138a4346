import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, createTestApp, type TestApp } from "./app.ts";
import { ask, exchange } from "./raw.ts";

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  ({ port } = await app.serve());
});
afterAll(() => app.close());

describe("a raw path", () => {
  it("must be one segment, and is not normalised", async () => {
    const { slug } = await app.link();
    const paths = ["/.", "/..", "/../", ";x", "%2f", "%2F..", "%00", "%0d%0aX:y", "%5c"];
    const before = ["//", "/./", "/../", "/x/../", "/%2e/", "/%2e%2e/", "/%2f", "/.%2e/", "/;/"];
    for (const after of ["", "/"]) expect((await ask(port, `/${slug}${after}`)).status).toBe(302);
    for (const after of paths)
      expect([after, (await ask(port, `/${slug}${after}`)).status]).toEqual([after, 404]);
    for (const start of before) expect([start, (await ask(port, start + slug)).status]).toEqual([start, 404]);
    for (const path of ["/%2e", "/%2e%2e", "/..", "/.", "/;", "//", "/%", "/%zz"]) {
      expect([path, (await ask(port, path)).status]).toEqual([path, 404]);
    }
  });

  it("with a backslash is rejected", async () => {
    const { slug } = await app.link();
    for (const path of [`/\\${slug}`, `\\${slug}`, `/x\\..\\${slug}`]) {
      const answer = await ask(port, path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 400, null]);
    }
  });

  it("may contain a percent-encoded slug, which is decoded once", async () => {
    await app.link({ slug: "grüße-🚀" });
    const encoded = encodeURIComponent("grüße-🚀");
    expect((await ask(port, `/${encoded}`)).status).toBe(302);
    expect((await ask(port, `/${encoded.toLowerCase()}`)).status).toBe(302);
    expect((await ask(port, `/${encoded.replaceAll("%", "%25")}`)).status).toBe(404);
    await app.link({ slug: "plain" });
    expect((await ask(port, "/%70lain")).status).toBe(302);
  });

  it("may be long, and is then not found", async () => {
    expect((await ask(port, `/${"x".repeat(10_000)}`)).status).toBe(404);
    expect((await ask(port, `/${"%F0%9F%9A%80".repeat(1_000)}`)).status).toBe(404);
    expect((await ask(port, `/${"x".repeat(20_000)}`)).status).toBe(431);
  });

  it("may be an absolute URL, whose host takes precedence", async () => {
    const { slug } = await app.link();
    expect((await ask(port, `http://short.test/${slug}`, "other.test")).status).toBe(302);
    expect((await ask(port, `HTTP://Short.test/${slug}`, "other.test")).status).toBe(302);
    expect((await ask(port, `http://other.test/${slug}`, "short.test")).status).toBe(404);
    expect((await ask(port, `http://short.test@other.test/${slug}`, "short.test")).status).toBe(404);
  });
});

describe("what is glued to a short URL", () => {
  it.each([
    "&utm_source=x",
    "&amp;utm_source=x&amp;utm_medium=y",
    "&url=https://example.org/a/b",
    "%26a=b",
    "%3Futm_source=mail",
    "%3furl=https%3A%2F%2Fexample.org%2Fa",
    "%23top",
    ")",
    "]",
    "}",
    ">",
    "%3E",
    "%C2%BB",
    "%E2%80%9D",
    "%E2%80%99",
    "%E3%80%8D",
    "'",
    "%22",
    "%60",
    ".",
    ",",
    "!",
    ";",
    ":",
    "%E2%80%A6",
    ").",
    ".%22)",
    "!!!",
    "%20",
    "%09",
    "%0A",
    "%C2%A0",
    "%E3%80%80",
    "%E2%80%8B",
    "%E2%80%8C",
    "%EF%BB%BF",
    "%C2%AD",
    "/).",
    "/&a=b",
    ").?utm_source=x",
  ])("is cut off: %s", async (glued) => {
    const link = await app.link();
    const answer = await ask(port, `/${link.slug}${glued}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.com/there"]);
    expect(await link.clicks()).toBe(1);
  });

  it("is cut off where it is raw UTF-8", async () => {
    const { slug } = await app.link();
    for (const glued of ["…", "”.", "\u200B", "?utm_campaign=grüße"]) {
      const request = `GET /${slug}${glued} HTTP/1.1\r\nHost: short.test\r\n\r\n`;
      expect([glued, (await exchange(port, Buffer.from(request))).status]).toEqual([glued, 302]);
    }
  });

  it("is not cut off where it may be part of something else", async () => {
    const { slug } = await app.link();
    for (const after of [".html", ".php", ")x", "%20x", "%E2%80%8Bx", "/x&a=b", "*", "~", "%"])
      expect([after, (await ask(port, `/${slug}${after}`)).status]).toEqual([after, 404]);
  });

  it("is cut off from the links of a bucket, preview pages and password forms", async () => {
    const bucket = await app.bucket();
    expect((await ask(port, `/${bucket.slug}&a=b`)).status).toBe(200);
    expect((await ask(port, `/${bucket.slug}/1).`)).headers.get("location")).toBe(
      "https://example.com/there",
    );
    const locked = await app.link({ password: "secret" });
    for (const after of ["+.", "+&a=b", "+%20", "%2B)"])
      expect((await ask(port, `/${locked.slug}${after}`)).body).toContain("A password protects this link");
    expect((await app.post(`/${locked.slug}).`, "secret")).status).toBe(303);
    expect((await ask(port, `/${locked.slug}&q=a+`)).status).toBe(200);
  });

  it("is forwarded by a link that forwards paths", async () => {
    const { slug } = await app.link({ forward_path: true });
    const locationOf = async (after: string) => (await ask(port, `/${slug}${after}`)).headers.get("location");
    expect(await locationOf("/a&b=c).")).toBe("https://example.com/there/a&b=c).");
    expect(await locationOf("&b=c")).toBe("https://example.com/there");
  });

  it("is looked up once more only if there is something to cut off", async () => {
    const loads = app.core.meter.counter("terse_route_cache_loads_total");
    const cost = async (path: string) => {
      const before = loads.value;
      expect((await ask(port, path)).status).toBe(404);
      return loads.value - before;
    };
    expect(await cost("/unknown-plain")).toBe(1);
    expect(await cost("/unknown-glued).")).toBe(2);
    expect(await cost("/unknown-glued).")).toBe(0);
  });
});

describe("the short-link host itself", () => {
  it("answers a small page", async () => {
    const answer = await ask(port, "/");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("Short links");
    expect((await ask(port, "/?a=b", "short.test", "HEAD")).status).toBe(200);
    expect((await ask(port, "/", "short.test", "POST")).headers.get("allow")).toBe("GET, HEAD");
    expect((await ask(port, "/", "other.test")).status).toBe(404);
  });

  it("leads to ROOT_URL", async () => {
    const { get } = createApp(app.core, { ROOT_URL: "https://example.org/welcome" });
    for (const method of ["GET", "HEAD"]) {
      const answer = await get("/", { method });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.org/welcome"]);
    }
  });
});

describe("over a socket", () => {
  it("HEAD has the headers of GET and no body", async () => {
    const { slug } = await app.link({ password: "secret" });
    for (const path of [`/${slug}`, "/nope", "/robots.txt", "/health"]) {
      const [get, head] = [await ask(port, path), await ask(port, path, "short.test", "HEAD")];
      expect(head.status).toBe(get.status);
      expect(head.body).toBe("");
      expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
      expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
    }
  });

  it("1,000 simultaneous clicks are counted exactly once each", async () => {
    const { slug, clicks } = await app.link();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(port, `/${slug}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(await clicks()).toBe(1_000);
  });

  it("a large form is rejected, with and without a declared length; a small one is read in chunks, too", async () => {
    const { slug } = await app.link({ password: "secret" });
    const body = `password=${"x".repeat(1_000_000)}`;
    const head = `POST /${slug} HTTP/1.1\r\nHost: short.test\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    const declared = await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(declared.status).toBe(413);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect((await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`)).status).toBe(413);
    const right = "f\r\npassword=secret\r\n0\r\n\r\n";
    const unlocked = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${right}`);
    expect([unlocked.status, unlocked.headers.get("location")]).toEqual([303, "https://example.com/there"]);
  });

  it("a request without a Host is rejected, whatever it asks for", async () => {
    const { slug, clicks } = await app.link();
    for (const path of [`/${slug}`, "/nope", "/health"]) {
      const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
    expect(await clicks()).toBe(0);
  });

  it("password attempts are limited by the connection's address, whatever X-Forwarded-For claims", async () => {
    const { slug } = await app.link({ password: "secret" });
    const guess = (n: number) =>
      exchange(
        port,
        `POST /${slug} HTTP/1.1\r\nHost: short.test\r\nConnection: close\r\nX-Forwarded-For: 192.0.2.${n}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\npassword=x`,
      );
    for (let n = 0; n < 10; n++) expect((await guess(n)).status).toBe(403);
    expect((await guess(11)).status).toBe(429);
  });
});
