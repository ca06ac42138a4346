import type { CoreOptions } from "@terse/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestApp, type TestApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const limit = { points: 10, seconds: 600 };
const password = "öpen ☃ sesame&=+%";
const url = "https://secret.example/plan";
const post = (address: string, slug: string, guess: string, to = app) =>
  to.from(address, `/${slug}`, { method: "POST", body: new URLSearchParams({ password: guess }) });
/** An app to which a password is work: about 0.03 s of CPU. */
async function createSlowApp(options: Partial<CoreOptions> = {}): Promise<TestApp> {
  const slow = await createTestApp({}, { passwordCost: { ln: 14, r: 8, p: 1 }, ...options });
  onTestFinished(slow.close);
  return slow;
}
const protectedLink = () => app.link({ url, password, title: "Secret plan" });

describe("a protected link", () => {
  it("asks for its password and reveals nothing else", async () => {
    const { slug, clicks } = await protectedLink();
    for (const method of ["GET", "HEAD"]) {
      const answer = await app.get(`/${slug}`, { method });
      expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
      expect(await answer.text()).not.toMatch(/secret/i);
    }
    expect(await clicks()).toBe(0);
  });

  it("redirects with 303 after the right password, and counts the click", async () => {
    const { slug, clicks } = await protectedLink();
    const answer = await app.post(`/${slug}`, password);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, url]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await clicks()).toBe(1);
  });

  it("shows the form with an error after a wrong password", async () => {
    const { slug, clicks } = await protectedLink();
    for (const wrong of ["Open", "", `${password} `]) {
      const answer = await app.post(`/${slug}`, wrong);
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
      const page = await answer.text();
      expect(page).toContain('role="alert"');
      expect(page).toContain('type="password"');
      expect(page).not.toMatch(/secret/i);
    }
    expect(await clicks()).toBe(0);
  });

  it("treats a form without the field as a wrong password", async () => {
    const { slug } = await protectedLink();
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    for (const body of [undefined, "", "pass=x", "%%%"]) {
      const answer = await app.get(`/${slug}`, {
        method: "POST",
        headers,
        ...(body !== undefined && { body }),
      });
      expect(answer.status).toBe(403);
    }
  });

  it("ignores a password in the query", async () => {
    const { slug } = await protectedLink();
    expect((await app.get(`/${slug}?password=${encodeURIComponent(password)}`)).status).toBe(200);
  });

  it("rejects other content types", async () => {
    const { slug } = await protectedLink();
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", ""]) {
      const answer = await app.get(`/${slug}`, {
        method: "POST",
        headers: { "content-type": type },
        body: new TextEncoder().encode(`password=${password}`),
      });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });

  it("rejects a large body", async () => {
    const { slug } = await protectedLink();
    expect((await app.post(`/${slug}`, "x".repeat(5_000))).status).toBe(413);
    expect((await app.post(`/${slug}`, "x".repeat(1_000_000))).status).toBe(413);
  });

  it("rejects methods other than GET, HEAD and POST", async () => {
    const { slug } = await protectedLink();
    const answer = await app.get(`/${slug}`, { method: "PUT" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

describe("password attempts", () => {
  it("are blocked for a while after ten wrong passwords, even with the right one", async () => {
    const { slug, clicks } = await protectedLink();
    for (let n = 0; n < limit.points; n++) expect((await app.post(`/${slug}`, `${n}`)).status).toBe(403);
    const refused = await app.post(`/${slug}`, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(limit.seconds - 60);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(limit.seconds);
    expect(refused.headers.get("ratelimit-policy")).toBe('"guesses";q=10;w=600');
    expect(refused.headers.get("ratelimit")).toBe(`"guesses";r=0;t=${refused.headers.get("retry-after")}`);
    expect(await refused.text()).toContain("10 minutes");
    expect(await clicks()).toBe(0);
  });

  it("are limited in parallel, too", async () => {
    const { slug } = await protectedLink();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => app.post(`/${slug}`, `${n}`)));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(limit.points);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - limit.points);
  });

  it("are limited for each link separately", async () => {
    const [one, other] = [await protectedLink(), await protectedLink()];
    for (let n = 0; n <= limit.points; n++) await app.post(`/${one.slug}`, "wrong");
    expect((await app.post(`/${other.slug}`, password)).status).toBe(303);
  });

  it("do not count if too many were in progress and they were not checked", async () => {
    const slow = await createSlowApp();
    const { slug } = await slow.link({ url, password });
    const enter = (address: string, guess: string) => post(address, slug, guess, slow);
    const crowd = Array.from({ length: 100 }, (_, n) => enter(`198.51.100.${n}`, password));
    const unlucky = Array.from({ length: 5 }, () => enter("192.0.2.1", password));
    const answers = await Promise.all([...crowd, ...unlucky]);
    const refused = answers.filter(({ status }) => status !== 303);
    for (const { status, headers } of refused) {
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    }
    expect(refused).not.toEqual([]);
    for (let n = 0; n < limit.points; n++) expect((await enter("192.0.2.1", "wrong")).status).toBe(403);
    expect((await enter("192.0.2.1", "wrong")).status).toBe(429);
  });

  it("do not count as wrong if the password is right", async () => {
    const { slug } = await protectedLink();
    for (let n = 0; n < limit.points * 2; n++)
      expect((await post("192.0.2.2", slug, password)).status).toBe(303);
  });

  it("of an address that knows the passwords of eight links leave time for all other visitors", async () => {
    const limited = await createSlowApp({ passwordsPerMinute: 60 });
    const links = await Promise.all(Array.from({ length: 9 }, () => limited.link({ url, password })));
    const [other, ...own] = links.map(({ slug }) => slug);
    const enter = (address: string, slug = "") => post(address, slug, password, limited);
    const attack = Array.from({ length: 120 }, (_, n) => enter("192.0.2.3", own[n % 8]));
    const visits = Array.from({ length: 10 }, (_, n) => enter(`192.0.2.${100 + n}`, other));
    expect((await Promise.all(visits)).map(({ status }) => status)).toEqual(Array(10).fill(303));
    const statuses = (await Promise.all(attack)).map(({ status }) => status);
    const checked = statuses.filter((status) => status !== 429).length;
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(60);
    const last = await enter("192.0.2.3", other);
    expect([last.status, last.headers.get("ratelimit-policy")]).toEqual([429, '"passwords";q=60;w=60']);
  });
});
