import { createHash } from "node:crypto";
import { renderPage } from "@terse/server";
import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { answerTo } from "../src/answer.ts";
import { messages } from "./pages.ts";

const pages = Object.entries(messages).map(([name, page]) => ({ name, ...page }));

describe.each(pages)("the page for: $name", ({ headers, body }) => {
  const page = String(body);

  it("is small and self-contained", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(15_000);
    expect(headers["Content-Length"]).toBe(String(Buffer.byteLength(page)));
    expect(page).not.toMatch(/<script|<link|<img|<iframe|href=|src=|@import|url\(| style="| on\w+="/);
  });

  it("may not run or load anything, or be framed, cached or indexed", () => {
    const styles = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(styles).digest("base64");
    expect(headers["Content-Security-Policy"]).toContain(`default-src 'none'; style-src 'sha256-${hash}';`);
    expect(headers["Content-Security-Policy"]).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY",
    });
    expect(page).toContain('<meta name="robots" content="noindex">');
  });

  it("has a language, a title and one heading", () => {
    expect(page).toContain('<html lang="en">');
    expect(page.match(/<h1 dir="auto">/g)).toHaveLength(1);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
  });

  it("submits nothing, except the password form", () => {
    const hasForm = page.includes("<form");
    expect(headers["Content-Security-Policy"]?.includes("form-action 'none'")).toBe(!hasForm);
  });
});

describe("a page", () => {
  it("escapes all values", async () => {
    const evil = `</title><script>alert(1)</script>"'&`;
    const { body } = await renderPage({
      status: 200,
      title: evil,
      content: html`<p title="${evil}">${evil}</p>`,
    });
    expect(body).not.toContain("<script>");
    expect(body?.match(/&lt;script&gt;/g)).toHaveLength(4);
    expect(body).toContain("&quot;&#39;&amp;");
  });
});

describe("a redirect", () => {
  it("cannot be made to contain another header", async () => {
    const { headers } = await answerTo({
      kind: "redirect",
      link_id: "id",
      location: "https://example.com/\r\nSet-Cookie: a=b",
      variant: null,
    });
    expect(() => new Headers(headers)).toThrow(TypeError);
  });
});
