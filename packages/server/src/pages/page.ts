import { html, raw } from "hono/html";
import { mark } from "./mark.ts";
import { hashSource, style } from "./style.ts";

/** Markup made by `html`, in which every value is escaped. */
export type Markup = ReturnType<typeof html>;

export interface Page<Status extends number = number> {
  status: Status;
  /** Names the window; the heading where that is not given */
  title: string;
  heading?: string;
  content: Markup;
  /** Rules on top of the common style, as constant text */
  style?: string;
  footer?: string;
  /** Where forms lead: to this origin, or on to an address that cannot be listed. Without it the page has no form. */
  form?: "self" | "anywhere";
}

/** A page as plain data, so that every listener sends the same one. */
export interface RenderedPage<Status extends number = number> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Renders a page: one file without scripts, images or fonts, that nothing may frame, cache or index. */
export async function renderPage<Status extends number>(page: Page<Status>): Promise<RenderedPage<Status>> {
  const { status, title, heading = title, content, footer = "Short links by Terse" } = page;
  const styles = [style, ...(page.style ? [page.style] : [])];
  const markup = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${raw(styles.map((text) => `<style>${text}</style>`).join("\n"))}
</head>
<body>
<main>
${raw(mark("36"))}
<h1>${heading}</h1>
${content}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  const body = markup.toString();
  return {
    status,
    headers: { ...pageHeaders(styles, page.form), "Content-Length": String(Buffer.byteLength(body)) },
    body,
  };
}

// Chromium and Safari hold form-action against the redirect after a POST too (w3c/webappsec-csp#8): where that leads
// to an address that cannot be listed, the page goes without this rule.
const formRules = { none: ["form-action 'none'"], self: ["form-action 'self'"], anywhere: [] };

const pageHeaders = (styles: string[], form: Page["form"] | "none" = "none") => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${styles.map(hashSource).join(" ")}`,
    "img-src 'self'", // browsers ask for /favicon.ico under this rule
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...formRules[form],
  ].join("; "),
  "Cache-Control": "no-store",
  // Under no-referrer a form's POST has the origin "null" (Fetch, "append a request Origin header").
  "Referrer-Policy": form === "self" ? "same-origin" : "no-referrer",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
});
