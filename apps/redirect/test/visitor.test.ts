import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ SHORT_BASE: "https://short.test", TRUSTED_PROXIES: ["127.0.0.1"] });
});
afterAll(() => app.close());

const variants = ["a", "b"].map((name) => ({ url: `https://${name}.example/`, weight: 1 }));
const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";

describe("a link with variants", () => {
  it("sets a cookie for its short URL and 90 days, and shows the same variant every time", async () => {
    const { slug } = await app.link({ ab_test: { variants } });
    const first = await app.get(`/${slug}`);
    expect(first.headers.get("set-cookie")).toMatch(
      new RegExp(
        `^terse_visitor=[\\w-]{22}; Max-Age=7776000; Path=/${slug}; HttpOnly; Secure; SameSite=Lax$`,
      ),
    );
    for (let n = 0; n < 5; n++) {
      const again = await app.get(`/${slug}`, { headers: { cookie: `x=1; ${cookieOf(first)}` } });
      expect(again.headers.get("location")).toBe(first.headers.get("location"));
      expect(again.headers.get("set-cookie")).toBeNull();
    }
  });

  it("sends different visitors to all of its variants", async () => {
    const { slug } = await app.link({ ab_test: { variants } });
    const seen = new Set<string | null>();
    for (let n = 0; n < 60; n++) seen.add((await app.get(`/${slug}`)).headers.get("location"));
    expect(seen).toEqual(new Set(["https://a.example/", "https://b.example/"]));
  });

  it("replaces an invalid cookie", async () => {
    const { slug } = await app.link({ ab_test: { variants } });
    for (const value of ["", "short", "x".repeat(4000), "<script>alert(1)</script>", "%00".repeat(22)]) {
      const answer = await app.get(`/${slug}`, { headers: { cookie: `terse_visitor=${value}` } });
      expect(answer.status).toBe(302);
      expect(cookieOf(answer)).toMatch(/^terse_visitor=[\w-]{22}$/);
    }
  });

  it("asks for its password first, and sets no cookie before that", async () => {
    const { slug } = await app.link({ ab_test: { variants }, password: "secret" });
    expect((await app.get(`/${slug}`)).headers.get("set-cookie")).toBeNull();
    expect((await app.post(`/${slug}`, "wrong")).headers.get("set-cookie")).toBeNull();
    const right = await app.post(`/${slug}`, "secret");
    expect([right.status, cookieOf(right)]).toEqual([303, expect.stringMatching(/^terse_visitor=/)]);
  });
});
