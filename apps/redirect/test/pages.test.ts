import { createHash } from "node:crypto";
import { languages, renderPage, type Words } from "@terse/server";
import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { type Answer, answerTo } from "../src/answer.ts";
import { sharedTexts, textsOf } from "@terse/testkit";
import { bucketsIn, messagesIn, previewsIn } from "./pages.ts";

const pages = Object.entries(await messagesIn(languages.en)).map(([name, page]) => ({ name, ...page }));

describe.each(pages)("the page for: $name", ({ headers, body }) => {
  const page = String(body);

  it("is small and self-contained", () => {
    expect(Buffer.byteLength(page)).toBeLessThan(15_000);
    expect(headers["Content-Length"]).toBe(String(Buffer.byteLength(page)));
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|href="(?!\/\+..")|src=|@import|url\(| style="| on\w+="/,
    );
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

const kinds = [messagesIn, previewsIn, bucketsIn];
const allIn = async (words: Words) =>
  Object.assign({}, ...(await Promise.all(kinds.map((kind) => kind(words))))) as Record<string, Answer>;
const english = await allIn(languages.en);
/** What its owner wrote, and where it leads */
const theirs = new Set(
  Object.values(await bucketsIn(languages.en)).flatMap(({ body }) => [...textsOf(String(body))]),
);
theirs.delete(languages.en.footer);
const isTheirs = (text: string) => theirs.has(text) || /example/.test(text);

describe.each([languages.de, languages.fr])("in $name", async (words) => {
  it.each(Object.entries(await allIn(words)))("%s has its language, and no English word", (name, page) => {
    const body = String(page.body);
    expect(page.headers["Content-Language"]).toBe(words.language);
    expect(body).toContain(`<html lang="${words.language}">`);
    const names = body.includes('class="languages"') ? ["English", "Deutsch", "Français"] : [];
    expect(sharedTexts(body, String(english[name]?.body)).filter((text) => !isTheirs(text))).toEqual(names);
  });
});

describe("a page", () => {
  it("escapes all values", async () => {
    const evil = `</title><script>alert(1)</script>"'&`;
    const { body } = await renderPage({
      status: 200,
      words: languages.en,
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
    const { headers } = await answerTo(
      {
        kind: "redirect",
        link_id: "id",
        location: "https://example.com/\r\nSet-Cookie: a=b",
        variant: null,
      },
      { words: languages.en },
    );
    expect(() => new Headers(headers)).toThrow(TypeError);
  });
});
