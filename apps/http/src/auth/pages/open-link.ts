import type { RenderedPage } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";

/** For who only looks at a sign-in link, such as a browser that loads pages ahead: what a person may then press. */
export const openLinkPage = (token: string): Promise<RenderedPage> =>
  authPage({
    status: 200,
    title: "Sign in to Terse",
    content: html`<p>This link signs you in once.</p>
<p class="choices"><a class="button" href="/auth/local?token=${encodeURIComponent(token)}">Sign in</a></p>`,
  });
