import { describe, expect, it } from "vitest";
import { expectRefusal } from "./expect-refusal.ts";
import { errorOf, startApp } from "./client.ts";

const app = await startApp();

/** As a browser's address bar sends it. */
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const ask = (path: string, accept?: string, method = "GET") =>
  app.ask(method, path, { headers: accept === undefined ? {} : { Accept: accept } });

describe("an unknown path", () => {
  it.each(["/nowhere", "/links/a/b/c", "/%00", "/<script>alert(1)</script>", `/${"x".repeat(4000)}`])(
    "is a page for a browser, which runs nothing and repeats nothing: %s",
    async (path) => {
      const { status, headers, text } = await ask(path, browser);
      expect(status).toBe(404);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(text).toContain('<h1 dir="auto">Page not found</h1>');
      expect(text).not.toContain(path);
    },
  );

  it.each([
    "*/*",
    "application/json",
    "application/json, text/html;q=0.5",
    "text/html;q=0, */*",
    "",
    undefined,
  ])("is the envelope for a program that accepts %j", async (accept) => {
    const answer = await ask("/nowhere", accept);
    expectRefusal(answer, 404);
    expect(errorOf(answer)).toBe("No such path; see /docs for all paths");
  });

  it.each(["/v1", "/v1/nowhere", "/.well-known/nowhere"])(
    "of the API is the envelope for a browser too: %s",
    async (path) => expectRefusal(await ask(path, browser), 404),
  );

  it.each(["HEAD", "POST", "DELETE"])("is the same for %s", async (method) => {
    const { status, headers } = await ask("/nowhere", browser, method);
    expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });
});
