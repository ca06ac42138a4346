import { type Page, type RenderedPage, renderPage } from "@terse/server";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { SignInError } from "../sign-in-error.ts";
import { style } from "./style.ts";

/** Renders a page of the API host. */
export const authPage = (page: Page): Promise<RenderedPage> => renderPage({ style, ...page });

/** The page that says why the sign-in failed, with a way to start over. */
export const signInErrorPage = ({ status, title, sentence }: SignInError): Promise<RenderedPage> =>
  authPage({
    status,
    title,
    content: html`<p>${sentence}</p>
<p class="choices"><a class="button" href="/">Back to the start page</a></p>`,
  });

/** The 404 page of the API host. */
export const notFoundPage = (): Promise<RenderedPage> =>
  authPage({
    status: 404,
    title: "Page not found",
    content: html`<p>There is nothing at this address. Please check it for typos.</p>
<p class="choices"><a class="button" href="/">Go to the start page</a>
<a class="button plain" href="/docs">API documentation</a></p>`,
  });

/** Shown after a sign-in to an account that was being deleted. */
export const accountKeptPage = (returnTo: string): Promise<RenderedPage> =>
  authPage({
    status: 200,
    title: "Your account is kept",
    content: html`<p>It was being deleted. You have signed in, so it stays as it was: its links and API keys work again.</p>
<p class="choices"><a class="button" href="${returnTo}">Continue</a></p>`,
  });

/** Shown when a program may have opened the sign-in link, or another site. The button uses the link. */
export const openLinkPage = (token: string): Promise<RenderedPage> =>
  authPage({
    status: 200,
    title: "Sign in to Terse",
    form: "self",
    content: html`<p>This link works once.</p>
<form method="post" action="/auth/local">
<input type="hidden" name="token" value="${token}">
<button>Sign in</button>
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
