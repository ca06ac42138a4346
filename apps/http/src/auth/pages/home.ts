import type { Person, Link } from "@terse/core";
import { commandOf, type Markup, type RenderedPage, type Words } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";
import { emailForm } from "./email.ts";
import type { Sentence } from "./sentence.ts";

export interface Choice {
  title: string;
  login_url: string;
}

/** How people sign in: through providers or, without any, with a link from this machine or from the operator. */
export interface SignIn {
  choices: readonly Choice[];
  /** Whether BASE_URL is a loopback address */
  isLocal: boolean;
  /** Whether passkeys work at this address */
  passkeys: boolean;
  /** Whether codes can be sent by e-mail */
  hasEmail: boolean;
}

/** The page for visitors: what Terse is and how to sign in. */
export function welcomePage(
  words: Words,
  { choices, isLocal, passkeys, hasEmail }: SignIn,
  status: 200 | 401 = 200,
): Promise<RenderedPage> {
  const { start } = words;
  return authPage({
    status,
    words,
    title: "Terse",
    heading: status === 401 ? start.please : start.title,
    form: hasEmail ? "self" : "none",
    ...(hasEmail && passkeys && { script: "/auth/passkey.js" }),
    content: html`<p>${start.text}</p>
${choices.length > 0 ? providerLinks(words, choices) : !hasEmail && (isLocal ? command(start.local) : html`<p>${start.byHand}</p>`)}
${passkeys && passkeyLink(words, "/")}
${hasEmail && emailForm(words)}
<p class="choices"><a href="/docs">${words.documentation}</a></p>`,
  });
}

/** A link to the page that signs in with a passkey, then leads to `returnTo`. */
export const passkeyLink = ({ signIn }: Words, returnTo: string): Markup =>
  html`<p class="choices"><a class="button plain" href="/auth/passkey?return_to=${encodeURIComponent(returnTo)}">${signIn.passkey.signIn}</a></p>`;

/** A link for each provider; `returnTo` is where to go after the sign-in. */
export const providerLinks = (
  { start }: Words,
  choices: readonly Choice[],
  returnTo?: string,
): Markup => html`<nav class="choices" aria-label="${start.signIn}">
${choices.map(
  ({ title, login_url }) =>
    html`<a class="button plain" href="${login_url}${returnTo !== undefined && `?return_to=${encodeURIComponent(returnTo)}`}">${start.with(title)}</a>`,
)}
</nav>`;

/** The command that prints a sign-in link. */
export const command = (text: string): Markup => html`<p>${text}</p>
<pre>${commandOf("admin")} <span>login-link --email EMAIL</span></pre>`;

export interface Dashboard {
  user: Person;
  /** Display name of the account's plan */
  plan: string;
  /** The link that was just created */
  link?: Link | undefined;
  /** The rejected URL and the reason */
  rejected?: { status: number; url: string; reason: Sentence } | undefined;
}

/** The page for signed-in users: a form that shortens a URL, and the sign-out button. */
export function dashboardPage(
  words: Words,
  { user, plan, link, rejected }: Dashboard,
): Promise<RenderedPage> {
  const { start } = words;
  return authPage({
    status: rejected?.status ?? 200,
    words,
    title: "Terse",
    heading: start.shorten,
    form: "self",
    content: html`
${rejected && html`<p role="alert" id="problem"${rejected.reason.isForeign && html` lang="en"`}>${rejected.reason.text}</p>`}
<form method="post" action="/shorten">
<label for="url">${start.longUrl}</label>
<input id="url" name="url" inputmode="url" placeholder="https://" autocomplete="off" autocapitalize="none"
spellcheck="false" required autofocus value="${rejected?.url ?? ""}"${rejected && html` aria-invalid="true" aria-describedby="problem"`}>
<button>${start.shortenIt}</button>
</form>
${link && result(words, link)}
<div class="account">
<p><strong>${user.name}</strong>${user.email} · ${plan}</p>
<form method="post" action="/auth/logout"><button class="quiet">${start.signOut}</button></form>
</div>
<p class="choices"><a href="/docs">${words.documentation}</a></p>`,
  });
}

const result = ({ start }: Words, { shortUrl, destination }: Link) => html`<div class="result" role="status">
<a href="${shortUrl}">${shortUrl.replace(/^https?:\/\//, "")}</a>
<p>${start.redirectsTo(destination)}</p>
</div>`;
