import { type Page, type RenderedPage, renderPage } from "@terse/server";
import type { Context } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { SignInError } from "../sign-in-error.ts";
import { style } from "./style.ts";

/** A page of the API host. */
export const authPage = (page: Page): Promise<RenderedPage> => renderPage({ style, ...page });

/** Says why somebody is not signed in, and where to begin again. */
export const refusalPage = ({ status, title, sentence }: SignInError): Promise<RenderedPage> =>
  authPage({
    status,
    title,
    content: html`<p>${sentence}</p>
<p class="choices"><a class="button" href="/">Back to the start</a></p>`,
  });

/** Sends a page; headers set before, such as a cookie, go with it. */
export function send(
  c: Context,
  { status, headers, body }: RenderedPage,
  more: Record<string, string> = {},
): Response {
  return c.body(body, status as ContentfulStatusCode, { ...headers, ...more });
}
