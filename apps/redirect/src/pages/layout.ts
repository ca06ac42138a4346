import { html, raw } from "hono/html";
import type { Answer } from "../plain-answer.ts";
import { mark } from "./mark.ts";
import { style, styleSource } from "./style.ts";

/** Markup made by `html`, in which every value is escaped. */
export type Markup = ReturnType<typeof html>;

export interface Page {
  status: Answer["status"];
  /** Names the window; the heading where that is not given */
  title: string;
  heading?: string;
  content: Markup;
  /** The page holds a form that posts to its own address */
  form?: boolean;
}

/** Renders a page: one file without scripts, images or fonts, that nothing may frame, cache or index. */
export async function renderPage({ status, title, heading = title, content, form }: Page): Promise<Answer> {
  const markup = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
${raw(mark("36"))}
<h1>${heading}</h1>
${content}
</main>
<footer>Short links by Terse</footer>
</body>
</html>
`;
  const body = markup.toString();
  return {
    status,
    headers: { ...pageHeaders(form), "Content-Length": String(Buffer.byteLength(body)) },
    body,
  };
}

const policy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "img-src 'self'", // browsers ask for /favicon.ico under this rule
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const pageHeaders = (form = false) => ({
  "Content-Type": "text/html; charset=utf-8",
  // Chromium and Safari hold form-action against the redirect after a POST too (w3c/webappsec-csp#8), and where a
  // right password leads cannot be listed: the page with the form goes without this rule.
  "Content-Security-Policy": [...policy, ...(form ? [] : ["form-action 'none'"])].join("; "),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
});
