import type { Markup, RenderedPage, Words } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";
import type { Sentence } from "./sentence.ts";

/** The form that asks for a code; `returnTo` is where to go after the sign-in. */
export const emailForm = (
  { signIn }: Words,
  returnTo = "/",
): Markup => html`<form method="post" action="/auth/email">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="username webauthn" required maxlength="254">
<button>${signIn.sendCode}</button>
</form>`;

/** Asks for the code that was sent, or says why the last one was refused. */
export function emailCodePage(
  words: Words,
  { status, address, problem }: { status: number; address: string; problem: Sentence | undefined },
): Promise<RenderedPage> {
  const { signIn } = words;
  return authPage({
    status,
    words,
    hasSwitch: false,
    title: signIn.codeTitle,
    // A sign-in may have been started by a program, to whose address the last redirect leads.
    form: "anywhere",
    content: html`<p>${signIn.codeText(address)}</p>
${problem && html`<p role="alert" id="problem"${problem.isForeign && html` lang="en"`}>${problem.text}</p>`}
<form method="post" action="/auth/email/code">
<input type="hidden" name="email" value="${address}">
<label for="code">${signIn.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*(\\d\\s*){6}" required autofocus${problem && html` aria-invalid="true" aria-describedby="problem"`}>
<button>${words.start.signIn}</button>
</form>
<p class="choices"><a href="/">${signIn.back}</a></p>`,
  });
}

/** What the link in the mail opens: it names the address, so that nobody signs in to another one without noticing. */
export const emailLinkPage = (
  words: Words,
  { address, token }: { address: string; token: string },
): Promise<RenderedPage> =>
  authPage({
    status: 200,
    words,
    title: words.signIn.linkTitle,
    form: "anywhere",
    content: html`<p>${words.signIn.emailLinkText(address)}</p>
<form method="post" action="/auth/email/link">
<input type="hidden" name="token" value="${token}">
<button>${words.start.signIn}</button>
</form>`,
  });
