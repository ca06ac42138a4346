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

/** Shown when a sign-in link is only fetched, or was found on another site. The button uses the link. */
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
