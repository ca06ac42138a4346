import { html, raw } from "hono/html";
import { logo } from "./logo.ts";
import { grounds, hashSource, style } from "./style.ts";

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
  /** Search engines may list the page, which says more of itself in this */
  listed?: Markup;
  /** Stands above the heading; the mark where that is not given */
  emblem?: Markup;
  /** Where forms lead: to this origin, or on to an address that cannot be listed. Without it the page has no form. */
  form?: keyof typeof formRules;
}

/** A page as plain data, so that every listener sends the same one. */
export interface RenderedPage<Status extends number = number> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Renders a page: one file without scripts, images or fonts, that nothing may frame or cache, nor index but `listed` ones. */
export async function renderPage<Status extends number>(page: Page<Status>): Promise<RenderedPage<Status>> {
  const { status, title, heading = title, content, footer = "Short links by Terse" } = page;
  const styles = [style, ...(page.style ? [page.style] : [])];
  const markup = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="${grounds.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${grounds.dark}" media="(prefers-color-scheme: dark)">
<title>${title}</title>
${page.listed ?? raw('<meta name="robots" content="noindex">')}
${raw(styles.map((text) => `<style>${text}</style>`).join("\n"))}
</head>
<body>
<main>
${page.emblem ?? raw(logo("36"))}
<h1 dir="auto">${heading}</h1>
${content}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  const body = markup.toString();
  return {
    status,
    headers: { ...pageHeaders(styles, page), "Content-Length": String(Buffer.byteLength(body)) },
    body,
  };
}

// Chromium and Safari hold form-action against the redirect after a POST too (w3c/webappsec-csp#8): where that leads
// to an address that cannot be listed, the page goes without this rule.
const formRules = { none: ["form-action 'none'"], self: ["form-action 'self'"], anywhere: [] };

const pageHeaders = (styles: string[], { form = "none", listed }: Partial<Page>) => ({
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
  // Where a listed page's links lead may learn of its site, as from any other.
  "Referrer-Policy": listed
    ? "strict-origin-when-cross-origin"
    : form === "self"
      ? "same-origin"
      : "no-referrer",
  "X-Frame-Options": "DENY",
  ...(!listed && { "X-Robots-Tag": "noindex" }),
});
