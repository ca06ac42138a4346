import { createCore } from "@terse/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, createTestApp, type TestApp } from "./app.ts";

let now = Date.parse("2026-03-01T12:00:00Z");
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, { clock: () => new Date(now) });
});
afterAll(() => app.close());

const password = "sesame";
const url = "https://secret.example/plan";
const protectedLink = (slug?: string) =>
  app.link({ url, password, title: "Secret plan", ...(slug && { slug }) });
const pairOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
const isForm = async (answer: Response) => {
  const text = await answer.text();
  return (
    answer.status === 200 &&
    answer.headers.get("location") === null &&
    answer.headers.get("set-cookie") === null &&
    !/secret/i.test(text)
  );
};

describe("the right password", () => {
  it("sets an HttpOnly cookie for this short URL and 15 minutes", async () => {
    const { slug } = await protectedLink();
    const answer = await app.post(`/${slug}`, password);
    expect(answer.headers.get("set-cookie")).toMatch(
      new RegExp(`^terse_pass=\\d{10}\\.[\\w-]{43}; Max-Age=900; Path=/${slug}; HttpOnly; SameSite=Lax$`),
    );
  });

  it("sets a Secure cookie if short links are https", async () => {
    const secure = await createTestApp({ SHORT_BASE: "https://short.test" });
    const { slug } = await secure.link({ password });
    const answer = await secure.post(`/${slug}`, password);
    expect(answer.headers.get("set-cookie")).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    await secure.close();
  });

  it("sets a Secure cookie if a trusted proxy reports https, as an A/B test does", async () => {
    const behind = await createTestApp({ TRUSTED_PROXIES: ["10.0.0.1"] });
    const variants = ["a", "b"].map((name) => ({ url: `https://${name}.example/`, weight: 1 }));
    const { slug } = await behind.link({ password, ab_test: { variants } });
    const cookies = async (peer: string, proto: string) => {
      const init = { method: "POST", body: new URLSearchParams({ password }) };
      const answer = await behind.from(peer, `/${slug}`, {
        ...init,
        headers: { "x-forwarded-proto": proto },
      });
      return answer.headers.getSetCookie().map((cookie) => cookie.includes("; Secure"));
    };
    expect(await cookies("10.0.0.1", "https")).toEqual([true, true]);
    expect(await cookies("10.0.0.1", "http")).toEqual([false, false]);
    expect(await cookies("10.0.0.2", "https")).toEqual([false, false]);
    await behind.close();
  });

  it("is not required again: GET and HEAD redirect, and the click counts", async () => {
    const { slug, clicks } = await protectedLink();
    const headers = { cookie: `a=b; ${pairOf(await app.post(`/${slug}`, password))}` };
    for (const method of ["GET", "HEAD"]) {
      const answer = await app.get(`/${slug}`, { method, headers });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, url]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    expect(await clicks()).toBe(2);
  });

  it.each(["日本語-🚀", "été"])("sets the cookie for the path as the browser sent it: %s", async (slug) => {
    await protectedLink(slug);
    for (const form of ["NFC", "NFD"]) {
      const path = `/${encodeURIComponent(slug.normalize(form))}`;
      for (const sent of [path, path.toLowerCase()]) {
        expect((await app.post(sent, password)).headers.get("set-cookie")).toContain(`; Path=${sent};`);
      }
    }
  });

  it("cannot inject an attribute into the cookie's path", async () => {
    const { slug } = await protectedLink();
    const answer = await app.post(`/${slug};Domain=evil.test`, password);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([404, null]);
  });

  it("is the only way to get a cookie", async () => {
    const { slug } = await protectedLink();
    expect((await app.get(`/${slug}`)).headers.get("set-cookie")).toBeNull();
    expect((await app.post(`/${slug}`, "wrong")).headers.get("set-cookie")).toBeNull();
  });
});

describe("the unlock cookie", () => {
  it("does not unlock another link", async () => {
    const [one, other] = [await protectedLink(), await protectedLink()];
    const headers = { cookie: pairOf(await app.post(`/${one.slug}`, password)) };
    for (const method of ["GET", "HEAD"]) {
      expect(await isForm(await app.get(`/${other.slug}`, { method, headers }))).toBe(true);
    }
  });

  it("expires after 15 minutes, even if the browser keeps it", async () => {
    const { slug } = await protectedLink();
    const headers = { cookie: pairOf(await app.post(`/${slug}`, password)) };
    now += 899_000;
    expect((await app.get(`/${slug}`, { headers })).status).toBe(302);
    now += 1000;
    expect(await isForm(await app.get(`/${slug}`, { headers }))).toBe(true);
  });

  it("becomes invalid when the password changes", async () => {
    const { slug, update } = await protectedLink();
    const headers = { cookie: pairOf(await app.post(`/${slug}`, password)) };
    await update({ password: "another" });
    expect(await isForm(await app.get(`/${slug}`, { headers }))).toBe(true);
    expect((await app.post(`/${slug}`, password, { headers })).status).toBe(403);
  });

  it("is invalid if it was modified", async () => {
    const { slug } = await protectedLink();
    const pair = pairOf(await app.post(`/${slug}`, password));
    const later = pair.replace(/=(\d+)/, (_, until: string) => `=${Number(until) + 3600}`);
    for (const cookie of [
      later,
      `${pair}x`,
      pair.slice(0, -1),
      "terse_pass=",
      `terse_pass=${"9".repeat(3000)}`,
    ]) {
      expect([cookie, await isForm(await app.get(`/${slug}`, { headers: { cookie } }))]).toEqual([
        cookie,
        true,
      ]);
    }
  });

  it("does not make a wrong password valid", async () => {
    const { slug } = await protectedLink();
    const headers = { cookie: pairOf(await app.post(`/${slug}`, password)) };
    const answer = await app.post(`/${slug}`, "wrong", { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });
});

it("limits password attempts across nodes", async () => {
  const { slug } = await protectedLink();
  const core = await createCore({
    databaseUrl: app.databaseUrl,
    shortBase: "http://short.test",
    clock: () => new Date(now),
  });
  const other = createApp(core);
  for (let n = 0; n < 10; n++) expect((await app.post(`/${slug}`, `${n}`)).status).toBe(403);
  const body = new URLSearchParams({ password });
  expect((await other.get(`/${slug}`, { method: "POST", body })).status).toBe(429);
  expect((await other.get(`/${slug}`)).status).toBe(200);
  await core.close();
});
