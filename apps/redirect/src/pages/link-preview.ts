import type { LinkPreview } from "@terse/core/redirect";
import { type RenderedPage, renderPage, type Words } from "@terse/server";
import { html } from "hono/html";

/**
 * What link-preview bots read instead of being redirected: Open Graph (https://ogp.me) and the cards of X. Its address is
 * the short URL's, because they follow the one that a page names.
 */
export function linkPreviewPage(
  words: Words,
  { title, description, image }: LinkPreview,
  shortUrl: string,
): Promise<RenderedPage<200>> {
  const heading = title ?? shortUrl.replace(/^https?:\/\//, "");
  return renderPage({
    status: 200,
    words,
    hasSwitch: false,
    title: heading,
    head: html`<link rel="canonical" href="${shortUrl}">
<meta property="og:type" content="website">
<meta property="og:url" content="${shortUrl}">
<meta property="og:title" content="${heading}">
<meta name="twitter:card" content="${image === null ? "summary" : "summary_large_image"}">
<meta name="twitter:title" content="${heading}">
${
  description !== null &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
<meta name="twitter:description" content="${description}">`
}
${
  image !== null &&
  html`<meta property="og:image" content="${image}">
<meta name="twitter:image" content="${image}">`
}`,
    content: html`${description !== null && html`<p dir="auto">${description}</p>`}`,
  });
}
