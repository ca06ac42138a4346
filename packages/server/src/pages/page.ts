import { html, raw } from "hono/html";
import { languageSwitch } from "./languages.ts";
import type { Words } from "./words/en.ts";
import { backgrounds, hashSource, style } from "./style.ts";

/** The logo, a capital T. `size` is its width and height in pixels. */
export const logo = (size: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true">` +
  `<rect width="32" height="32" rx="9" fill="#0f6b52"/>` +
  `<path d="M9.5 11h13M16 11v11.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`;

/** Markup made by `html`, in which every value is escaped. */
export type Markup = ReturnType<typeof html>;

export interface Page<Status extends number = number> {
  status: Status;
  /** The language of the page */
  words: Words;
  /** False where another language would not be of use, or where the same address shows the page only once */
  hasSwitch?: boolean;
  /** Title of the window, and the default heading */
  title: string;
  heading?: string;
  content: Markup;
  /** CSS added to the common style, as constant text */
  style?: string;
  footer?: string;
  /** Set if search engines may index the page: meta tags that describe it */
  listed?: Markup;
  /** More for the page's head */
  head?: Markup;
  /** Shown above the heading; the logo by default */
  emblem?: Markup;
  /** Sources besides this origin whose images the page may show */
  images?: string;
  /** An origin whose pages may frame this one, which then runs nothing and leads nowhere; by default none may */
  framedBy?: string;
  /** The path of a script of this origin, which may call this origin; by default the page runs none */
  script?: string;
  /** Where forms may lead: to this origin, or to any address. Without it, the page has no form. */
  form?: keyof typeof formRules;
}

/** A page as plain data, so that any listener can send it. */
export interface RenderedPage<Status extends number = number> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Renders a page: one file without fonts, and without scripts unless `script`, never framed unless `framedBy`, never cached, and indexed only if `listed`. */
export async function renderPage<Status extends number>(page: Page<Status>): Promise<RenderedPage<Status>> {
  const { status, title, heading = title, content, words, footer = words.footer, hasSwitch = true } = page;
  const styles = [style, ...(page.style ? [page.style] : [])];
  const markup = await html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="${backgrounds.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${backgrounds.dark}" media="(prefers-color-scheme: dark)">
<title>${title}</title>
${page.listed ?? raw('<meta name="robots" content="noindex">')}
${page.head}
${page.script !== undefined && html`<script src="${page.script}" defer></script>`}
${page.framedBy !== undefined && raw('<base target="_blank">')}
${raw(styles.map((text) => `<style>${text}</style>`).join("\n"))}
</head>
<body>
<main>
${page.emblem ?? raw(logo("36"))}
<h1 dir="auto">${heading}</h1>
${content}
</main>
<footer>${footer}${hasSwitch && languageSwitch(words)}</footer>
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

/**
 * An origin as a source of a policy. Sources cannot name IPv6 addresses (CSP level 3, "host-source"), and browsers ignore those
 * that do: then all origins with its scheme.
 */
export const policySource = (origin: string): string =>
  origin.includes("[") ? new URL(origin).protocol : origin;

// Chromium and Safari also apply form-action to the redirect after a POST (w3c/webappsec-csp#8), so a page whose form
// redirects to an unknown address has no such rule.
const formRules = { none: ["form-action 'none'"], self: ["form-action 'self'"], anywhere: [] };

const pageHeaders = (styles: string[], { form = "none", words, listed, images, framedBy, script }: Page) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Language": words.language,
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${styles.map(hashSource).join(" ")}`,
    `img-src 'self'${images === undefined ? "" : ` ${images}`}`, // browsers ask for /favicon.ico under this rule
    ...(script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
    "base-uri 'none'",
    `frame-ancestors ${framedBy === undefined ? "'none'" : framedBy.includes("[") ? "'self'" : framedBy}`,
    ...(framedBy === undefined ? [] : ["sandbox"]),
    ...formRules[form],
  ].join("; "),
  "Cache-Control": "no-store",
  // Under no-referrer a form's POST has the origin "null" (Fetch, "append a request Origin header").
  // The destinations of a listed page may see its origin, as is usual.
  "Referrer-Policy": listed
    ? "strict-origin-when-cross-origin"
    : form === "self" || script !== undefined
      ? "same-origin"
      : "no-referrer",
  ...(framedBy === undefined && { "X-Frame-Options": "DENY" }),
  ...(!listed && { "X-Robots-Tag": "noindex" }),
});
