import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestApp, type TestApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe("a short link", () => {
  it("redirects to its destination and counts the click", async () => {
    const link = await app.link({ url: "https://example.com/a?b=c#d" });
    const answer = await app.get(`/${link.slug}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://example.com/a?b=c#d");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(answer.headers.get("referrer-policy")).toBeNull();
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await answer.text()).toBe("");
    expect(await link.clicks()).toBe(1);
  });

  it("answers HEAD like GET and counts nothing", async () => {
    const link = await app.link();
    const [get, head] = [await app.get(`/${link.slug}`), await app.get(`/${link.slug}`, { method: "HEAD" })];
    const plain = (answer: Response) => [...answer.headers].filter(([name]) => name !== "x-request-id");
    expect(head.status).toBe(302);
    expect(plain(head)).toEqual(plain(get));
    expect(await link.clicks()).toBe(1);
  });

  it("ignores its query and does not pass it to the destination", async () => {
    const { slug } = await app.link({ url: "https://example.com/x" });
    const answer = await app.get(`/${slug}?utm_source=mail&url=https://evil.test`);
    expect(answer.headers.get("location")).toBe("https://example.com/x");
  });

  it("rejects other methods and lists the allowed ones", async () => {
    const link = await app.link();
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await app.get(`/${link.slug}`, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(answer.headers.get("location")).toBeNull();
    }
    expect(await link.clicks()).toBe(0);
  });

  it("is found with any port, case or trailing dot in its host", async () => {
    const { slug } = await app.link();
    for (const host of ["SHORT.test", "short.test:3001", "short.test.", "short.test.:80"]) {
      expect((await app.get(`/${slug}`, { headers: { host } })).status).toBe(302);
    }
  });

  it("is not found on any other host", async () => {
    const { slug } = await app.link();
    for (const host of ["other.test", "short.test.evil.test", "xshort.test", "127.0.0.1"]) {
      expect([host, (await app.get(`/${slug}`, { headers: { host } })).status]).toEqual([host, 404]);
    }
  });

  it("ignores headers that claim a forwarded host", async () => {
    const { slug } = await app.link();
    const headers = { host: "other.test", "x-forwarded-host": "short.test", forwarded: "host=short.test" };
    expect((await app.get(`/${slug}`, { headers })).status).toBe(404);
  });

  it("is case-sensitive, and the same in every Unicode normal form", async () => {
    await app.link({ slug: "CaseKept" });
    expect((await app.get("/casekept")).status).toBe(404);
    await app.link({ slug: "café-🚀" });
    for (const form of ["NFC", "NFD"]) {
      expect((await app.get(`/${encodeURIComponent("café-🚀".normalize(form))}`)).status).toBe(302);
    }
  });
});

describe("a link that is not available", () => {
  it("is gone once it is disabled", async () => {
    const { slug, clicks, switchOff } = await app.link();
    await switchOff();
    const answer = await app.get(`/${slug}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([410, null]);
    expect(await answer.text()).toContain("turned it off");
    expect((await app.get(`/${slug}`, { method: "POST" })).status).toBe(410);
    expect(await clicks()).toBe(0);
  });

  it("is gone once it has expired", async () => {
    const { slug, clicks } = await app.link({ expires_at: "2001-01-01T00:00:00Z", password: "secret" });
    const answer = await app.get(`/${slug}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([410, null]);
    expect(await answer.text()).toContain("limited time");
    expect(await clicks()).toBe(0);
  });

  it("is gone at the exact second, even if it is cached", async () => {
    let now = Date.parse("2026-03-01T11:59:58Z");
    const timed = await createTestApp({}, { clock: () => new Date(now) });
    const { slug } = await timed.link({ expires_at: "2026-03-01T12:00:00Z" });
    const statuses = async () =>
      Promise.all(["GET", "HEAD"].map(async (method) => (await timed.get(`/${slug}`, { method })).status));
    expect(await statuses()).toEqual([302, 302]);
    now += 1000;
    expect(await statuses()).toEqual([302, 302]);
    now += 999;
    expect(await statuses()).toEqual([302, 302]);
    now += 1;
    expect(await statuses()).toEqual([410, 410]);
    await timed.close();
  });

  it("is gone while a host list has the host of its destination", async () => {
    const list = join(await tempFolder(), "list.txt");
    await writeFile(list, "");
    const screened = await createTestApp({ SHORT_BASE: "http://127.0.0.1" }, { blocklistFiles: [list] });
    onTestFinished(() => screened.close());
    const { url: base } = await screened.serve();
    const plain = await screened.link({ url: "https://www.bad.example/login" });
    const secret = await screened.link({ url: "https://bad.example/", password: "secret" });
    const get = ({ slug }: { slug: string }) => fetch(`${base}/${slug}`, { redirect: "manual" });
    const statuses = async () => [(await get(plain)).status, (await get(secret)).status];
    expect(await statuses()).toEqual([302, 200]);
    await writeFile(list, "bad.example");
    await until(async () => (await get(plain)).status === 410);
    const answer = await get(plain);
    expect(answer.headers.get("location")).toBeNull();
    expect(await answer.text()).toContain("blocked as harmful");
    expect(await statuses()).toEqual([410, 410]);
  });

  it("is not found if it never existed", async () => {
    for (const path of ["/nope", "/nope/", "/a/b", "//", "/%E0%A4%A", "/%C0%AE", "/%", "/a%2Fb", "/%00"]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = await app.get(path, { method });
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        expect(answer.headers.get("location")).toBeNull();
      }
    }
  });
});
