import type { Account, Link } from "@terse/core";
import type { RenderedPage } from "@terse/server";
import { html } from "hono/html";
import { authPage } from "./page.ts";

export interface Choice {
  title: string;
  login_url: string;
}

/** For who is not signed in: what this is, and the ways in. */
export function welcomePage(choices: readonly Choice[], status: 200 | 401 = 200): Promise<RenderedPage> {
  return authPage({
    status,
    title: "Terse",
    heading: status === 401 ? "Sign in first" : "Short links, exactly counted",
    content: html`<p>Terse makes long addresses short, and counts who follows them.</p>
${choices.length > 0 ? providers(choices) : local}
<p class="choices"><a href="/docs">API documentation</a></p>`,
  });
}

const providers = (choices: readonly Choice[]) => html`<nav class="choices" aria-label="Sign in">
${choices.map(({ title, login_url }) => html`<a class="button plain" href="${login_url}">Sign in with ${title}</a>`)}
</nav>`;

const local = html`<p>To sign in, open the one-time link that the service printed when it started. It works on that machine
only. This makes another:</p>
<pre>npm run --silent admin -- <span>login-link --email EMAIL</span></pre>`;

export interface Desk {
  account: Account;
  /** The account's plan, for people */
  plan: string;
  /** What was shortened a moment ago */
  link?: Link | undefined;
  /** What was typed and refused, and why */
  refused?: { status: number; url: string; reason: string } | undefined;
}

/** For who is signed in: a form that shortens, and the way out. */
export function deskPage({ account, plan, link, refused }: Desk): Promise<RenderedPage> {
  return authPage({
    status: refused?.status ?? 200,
    title: "Terse",
    heading: "Shorten a URL",
    form: "self",
    content: html`
${refused && html`<p role="alert" id="problem">${refused.reason.replace(/^url:? /, "The URL ")}.</p>`}
<form method="post" action="/">
<label for="url">Long URL</label>
<input id="url" name="url" inputmode="url" placeholder="https://" autocomplete="off" autocapitalize="none"
spellcheck="false" required autofocus value="${refused?.url ?? ""}"${refused && html` aria-invalid="true" aria-describedby="problem"`}>
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
<p>leads to ${destination}</p>
</div>`;
