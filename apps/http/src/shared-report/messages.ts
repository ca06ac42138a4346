import { type RenderedPage, renderPage, renderPasswordPage, type Words } from "@terse/server";
import { html } from "hono/html";

/** Says the same of a report that never was, has ended or was revoked. */
export const missingPage = (words: Words): Promise<RenderedPage> =>
  renderPage({
    status: 404,
    words,
    title: words.report.missing.title,
    content: html`<p>${words.report.missing.text}</p>`,
  });

/** A tag's figures are counted from raw clicks, which operators may keep for a time only. */
export const gonePage = (words: Words): Promise<RenderedPage> =>
  renderPage({
    status: 410,
    words,
    title: words.report.noFigures,
    style: "a{color:var(--accent)}",
    content: html`<p>${words.report.dropped} <a href="?period=all">${words.report.showKept}</a></p>`,
  });

export async function waitPage(words: Words, status: 429 | 503, seconds: number): Promise<RenderedPage> {
  const page = await renderPage({
    status,
    words,
    title: status === 429 ? words.rateLimited : words.report.unavailable,
    content: html`<p>${words.again(seconds)}</p>`,
  });
  return { ...page, headers: { ...page.headers, "Retry-After": String(seconds) } };
}

/** The form for the password of a report. It reveals nothing about the report. */
export const passwordPage = (words: Words, wrong: boolean): Promise<RenderedPage> =>
  renderPasswordPage(words, "report", { wrong, form: "self" });
