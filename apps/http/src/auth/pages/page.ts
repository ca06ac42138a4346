import { type Page, type RenderedPage, renderPage, type Words, wordsFor } from "@terse/server";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { SignInError } from "../sign-in-error.ts";
import { style } from "./style.ts";

/** The texts of pages in the language of the person behind a request. */
export const wordsOf = (c: Context): Words => wordsFor((name) => c.req.header(name));

/** Renders a page of the API host. */
export const authPage = (page: Page): Promise<RenderedPage> => renderPage({ style, ...page });

/** The page that says why the sign-in failed, with a way to start over. */
export const signInErrorPage = (
  words: Words,
  { status, title, text, isForeign = false }: SignInError,
): Promise<RenderedPage> =>
  authPage({
    status,
    words,
    hasSwitch: false,
    title,
    content: html`<p${isForeign && html` lang="en"`}>${text}</p>
<p class="choices"><a class="button" href="/">${words.signIn.back}</a></p>`,
  });

/** The 404 page of the API host. */
export const notFoundPage = (words: Words): Promise<RenderedPage> =>
  authPage({
    status: 404,
    words,
    title: words.start.notFound.title,
    content: html`<p>${words.start.notFound.text}</p>
<p class="choices"><a class="button" href="/">${words.start.home}</a>
<a class="button plain" href="/docs">${words.documentation}</a></p>`,
  });

/** Shown after a sign-in to an account that was being deleted. */
export const accountKeptPage = (words: Words, returnTo: string): Promise<RenderedPage> =>
  authPage({
    status: 200,
    words,
    hasSwitch: false,
    title: words.signIn.kept.title,
    content: html`<p>${words.signIn.kept.text}</p>
<p class="choices"><a class="button" href="${returnTo}">${words.continue}</a></p>`,
  });

/** Shown when a program may have opened the sign-in link, or another site. The button uses the link. */
export const openLinkPage = (words: Words, token: string): Promise<RenderedPage> =>
  authPage({
    status: 200,
    words,
    title: words.signIn.linkTitle,
    form: "self",
    content: html`<p>${words.signIn.linkText}</p>
<form method="post" action="/auth/local">
<input type="hidden" name="token" value="${token}">
<button>${words.start.signIn}</button>
</form>`,
  });

/** Sends a page; headers that were set before, such as a cookie, are kept. */
export function send(
  c: Context,
  { status, headers, body }: RenderedPage,
  more: Record<string, string> = {},
): Response {
  return c.body(body, status as ContentfulStatusCode, { ...headers, ...more });
}
