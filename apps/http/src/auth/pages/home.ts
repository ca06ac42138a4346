import type { Account, Link } from "@terse/core";
import { commandOf, type RenderedPage } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";

export interface Choice {
  title: string;
  login_url: string;
}

/** How people sign in: through providers or, without any, with a link from this machine or from the operator. */
export interface SignIn {
  choices: readonly Choice[];
  /** Whether BASE_URL is a loopback address */
  isLocal: boolean;
}

/** The page for visitors: what Terse is and how to sign in. */
export function welcomePage({ choices, isLocal }: SignIn, status: 200 | 401 = 200): Promise<RenderedPage> {
  return authPage({
    status,
    title: "Terse",
    heading: status === 401 ? "Please sign in" : "Short links with exact click counts",
    content: html`<p>Terse shortens long URLs and counts every click.</p>
${choices.length > 0 ? providers(choices) : isLocal ? local : byHand}
<p class="choices"><a href="/docs">API documentation</a></p>`,
  });
}

const providers = (choices: readonly Choice[]) => html`<nav class="choices" aria-label="Sign in">
${choices.map(({ title, login_url }) => html`<a class="button plain" href="${login_url}">Sign in with ${title}</a>`)}
</nav>`;

const byHand = html`<p>To sign in, open the link that the operator of this service sent you. It works once, for ten minutes.</p>`;

const local = html`<p>To sign in, open the one-time link that the service printed at startup. It works on that machine only. To get
another one, run:</p>
<pre>${commandOf("admin")} <span>login-link --email EMAIL</span></pre>`;

export interface Dashboard {
  account: Account;
  /** Display name of the account's plan */
  plan: string;
  /** The link that was just created */
  link?: Link | undefined;
  /** The rejected URL and the reason */
  rejected?: { status: number; url: string; reason: string } | undefined;
}

/** The page for signed-in users: a form that shortens a URL, and the sign-out button. */
export function dashboardPage({ account, plan, link, rejected }: Dashboard): Promise<RenderedPage> {
  return authPage({
    status: rejected?.status ?? 200,
    title: "Terse",
    heading: "Shorten a URL",
    form: "self",
    content: html`
${rejected && html`<p role="alert" id="problem">${rejected.reason.replace(/^url:? /, "The URL ")}.</p>`}
<form method="post" action="/shorten">
<label for="url">Long URL</label>
<input id="url" name="url" inputmode="url" placeholder="https://" autocomplete="off" autocapitalize="none"
spellcheck="false" required autofocus value="${rejected?.url ?? ""}"${rejected && html` aria-invalid="true" aria-describedby="problem"`}>
<button>Shorten</button>
</form>
${link && result(link)}
<div class="account">
<p><strong>${account.name}</strong>${account.email} · ${plan}</p>
<form method="post" action="/auth/logout"><button class="quiet">Sign out</button></form>
</div>
<p class="choices"><a href="/docs">API documentation</a></p>`,
  });
}

const result = ({ shortUrl, destination }: Link) => html`<div class="result" role="status">
<a href="${shortUrl}">${shortUrl.replace(/^https?:\/\//, "")}</a>
<p>redirects to ${destination}</p>
</div>`;
