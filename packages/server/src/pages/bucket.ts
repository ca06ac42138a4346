import { domainToUnicode } from "node:url";
import type { BucketPage } from "@terse/core/redirect";
import { html, raw } from "hono/html";
import { bucketStyle } from "./bucket-style.ts";
import { policySource, type RenderedPage, renderPage } from "./page.ts";
import type { Words } from "./words/en.ts";
import { markOf } from "./service-marks.ts";

/**
 * A bucket's page: its image, name, description and links. Each link uses its own short URL, so that clicks are counted, but
 * for mailto: and tel:. `framedBy` is the origin of a page that shows it as a preview: its links do nothing then.
 */
export function bucketPage(
  id: string,
  page: BucketPage,
  words: Words,
  { framedBy }: { framedBy?: string } = {},
): Promise<RenderedPage<200>> {
  const { name, url, links, avatar } = page;
  const iconOf = createIcons();
  const description = page.description ?? describe(links.map(({ title }) => title));
  return renderPage({
    status: 200,
    words,
    hasSwitch: false, // all but its last line is in the owner's own words
    title: name,
    style: bucketStyle(id, page.accent_color),
    ...(framedBy !== undefined && { framedBy, images: `${policySource(new URL(url).origin)} data:` }),
    listed: html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Terse">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary">
<meta name="twitter:title" content="${name}">
<meta name="twitter:description" content="${description}">
${avatar !== null && imageTags(avatar.url)}`,
    emblem:
      avatar === null
        ? html`<p class="face" aria-hidden="true">${monogramOf(name)}</p>`
        : html`<img class="face" src="${framedBy === undefined ? new URL(avatar.url).pathname : avatar.url}" alt="" width="88" height="88">`,
    content: html`${page.description !== null && html`<p dir="auto">${page.description}</p>`}
<ul role="list">
${links.map(
  (
    link,
  ) => html`<li><a href="${pathOf(link.url)}" rel="nofollow" dir="auto">${iconOf(link.destination)}${link.title} <small><bdi>${placeOf(link.destination)}</bdi></small></a></li>
`,
)}</ul>`,
  });
}

const imageTags = (url: string) => html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/webp">
<meta property="og:image:width" content="256">
<meta property="og:image:height" content="256">
<meta name="twitter:image" content="${url}">`;

const isWeb = (url: string) => /^https?:/.test(url);

/** A short URL is on the same host as the page; a contact is its own address. */
const pathOf = (url: string) => (isWeb(url) ? new URL(url).pathname : url);

/** Icons for kinds of links, drawn with strokes on a grid of 24 by 24 */
const outlines = {
  mailto: "M3 6h18v12H3zM3 7l9 7 9-7",
  tel: "M6 3h3l2 5-2.5 1.5a12 12 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z",
  web: "M3 12h18M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zc5 5 5 13 0 18-5-5-5-13 0-18",
};
const contacts = ["mailto", "tel"] as const;

/** Draws the mark of a well-known service, or an icon for the kind of link, once: later links use the first drawing. */
function createIcons(): (destination: string) => ReturnType<typeof raw> {
  const drawn = new Set<string>();
  const icon = (shape: string) => raw(`<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`);
  return (destination) => {
    const mark = isWeb(destination) ? markOf(new URL(destination).hostname) : null;
    if (mark !== null) return icon(`<path fill="currentColor" d="${mark}"/>`);
    const kind = contacts.find((scheme) => destination.startsWith(`${scheme}:`)) ?? "web";
    if (drawn.has(kind)) return icon(`<use href="#${kind}"/>`);
    drawn.add(kind);
    return icon(`<path id="${kind}" d="${outlines[kind]}"/>`);
  };
}

let segmenter: Intl.Segmenter | undefined;
/** Splits a text into what readers see as one character. It takes 2 MB, so a process has it from the first page on. */
const charactersOf = (text: string) =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text);

const letterDigitOrEmoji = /[\p{L}\p{N}]|\p{Extended_Pictographic}|\p{RGI_Emoji}/v;

/** Returns the first letter, digit or emoji of a name; its first character if it has none. */
function monogramOf(name: string): string {
  const characters = Array.from(charactersOf(name), ({ segment }) => segment);
  return (
    characters.find((character) => letterDigitOrEmoji.test(character)) ??
    characters[0] ??
    ""
  ).toUpperCase();
}

/** Returns where a link leads, as people write it: a host, an address or a number. */
function placeOf(destination: string): string {
  if (!isWeb(destination)) return decodeURIComponent(destination.replace(/^\w+:|\?.*$/g, ""));
  const { hostname, port } = new URL(destination);
  const name = domainToUnicode(hostname) || hostname;
  return name.replace(/^www\./, "") + (port && `:${port}`);
}

const maxDescription = 160;

/** Joins the titles of the links, cut between characters to a preview's length. */
function describe(titles: readonly string[]): string {
  const text = titles.join(" · ");
  if (text.length <= maxDescription) return text;
  let cut = "";
  for (const { segment } of charactersOf(text)) {
    if (cut.length + segment.length >= maxDescription) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
