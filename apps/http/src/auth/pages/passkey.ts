import type { RenderedPage, Words } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";

/** A button that signs in with a passkey and leads to `returnTo`; its script is `passkey.js`. */
export const passkeyPage = (words: Words, returnTo: string): Promise<RenderedPage> => {
  const { passkey } = words.signIn;
  return authPage({
    status: 200,
    words,
    title: passkey.signIn,
    script: "/auth/passkey.js",
    content: html`<p>${passkey.text}</p>
<p role="alert" id="problem"></p>
<p class="choices"><button id="sign-in" data-return-to="${returnTo}" data-failed="${passkey.failed}"
data-cancelled="${passkey.cancelled}" data-unsupported="${passkey.unsupported}">${passkey.signIn}</button>
<a class="button plain" href="/">${words.signIn.back}</a></p>`,
  });
};
