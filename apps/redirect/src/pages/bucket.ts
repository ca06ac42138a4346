import { domainToUnicode } from "node:url";
import type { BucketPage } from "@terse/core/redirect";
import { type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";
import { bucketStyles } from "./bucket-style.ts";

/** A bucket's page: its name and its links. Each link uses its own short URL, so that clicks are counted. */
export function bucketPage(id: string, { name, url, links }: BucketPage): Promise<RenderedPage<200>> {
  const description = describe(links.map(({ title }) => title));
  return renderPage({
    status: 200,
    title: name,
    style: styleOf(id),
    listed: html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Terse">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta name="twitter:card" content="summary">
<meta name="twitter:title" content="${name}">
<meta name="twitter:description" content="${description}">`,
    emblem: html`<p class="monogram" aria-hidden="true">${monogramOf(name)}</p>`,
    content: html`<ul role="list">
${links.map(
  (
    link,
  ) => html`<li><a href="${new URL(link.url).pathname}" rel="nofollow" dir="auto">${link.title} <small><bdi>${hostOf(link.destination)}</bdi></small></a></li>
`,
)}</ul>`,
  });
}

/** Depends on the id only, so a renamed bucket keeps its colours. */
const styleOf = (id: string) =>
  bucketStyles[Number.parseInt(id.slice(-4), 16) % bucketStyles.length] as string;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const letterDigitOrEmoji = /[\p{L}\p{N}]|\p{Extended_Pictographic}|\p{RGI_Emoji}/v;

/** Returns the first letter, digit or emoji of a name; its first character if it has none. */
function monogramOf(name: string): string {
  const characters = Array.from(graphemes.segment(name), ({ segment }) => segment);
  return (
    characters.find((character) => letterDigitOrEmoji.test(character)) ??
    characters[0] ??
    ""
  ).toUpperCase();
}

/** Returns the host of a destination, as people write it. */
function hostOf(destination: string): string {
  const { hostname, port } = new URL(destination);
  const name = domainToUnicode(hostname) || hostname;
  return name.replace(/^www\./, "") + (port && `:${port}`);
}

const maxDescription = 160;

/** Joins the titles of the links, cut to what a preview shows, between characters. */
function describe(titles: readonly string[]): string {
  const text = titles.join(" · ");
  if (text.length <= maxDescription) return text;
  let cut = "";
  for (const { segment } of graphemes.segment(text)) {
    if (cut.length + segment.length >= maxDescription) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
