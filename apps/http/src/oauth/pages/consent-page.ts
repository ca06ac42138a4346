import type { Account, Scope } from "@terse/core";
import { commandOf, type RenderedPage } from "@terse/server";
import { html } from "hono/html";
import type { SignIn } from "../../auth/pages/home.ts";
import { authPage } from "../../auth/pages/page.ts";
import type { Program } from "../program.ts";

const meanings: Record<Scope, string> = {
  "links:read": "See links and QR codes",
  "links:write": "Create, change and delete links",
  "analytics:read": "See analytics",
  domains: "Manage custom domains",
  buckets: "Manage pages with several links",
  keys: "Manage API keys",
  account: "See and manage the account",
  webhooks: "Manage webhooks",
};

export interface ConsentPage {
  program: Program;
  account: Account;
  scopes: readonly Scope[];
  /** How the program reaches the account: "through the API" */
  way: string;
  /** The form's address */
  action: string;
  /** Why the form was not accepted */
  problem?: string | undefined;
}

const style = `
.who{margin-top:20px;padding:12px 14px;border:1px solid var(--line);border-radius:12px}
.who p{color:var(--soft);font-size:.9375rem}.who strong{display:block}
.warning{margin-top:16px;padding:10px 14px;border-radius:12px;background:var(--bad-ground);color:var(--bad);font-size:.9375rem}
fieldset{border:0;padding:0;min-width:0}legend{font-size:.875rem;font-weight:600;padding:0 0 4px}
fieldset label{display:flex;gap:10px;align-items:center;min-height:40px;font-size:1rem;font-weight:400}
fieldset input{width:20px;min-height:20px;height:20px;flex:none;accent-color:var(--accent)}
.refuse{background:transparent;color:inherit;border:1px solid var(--field)}
.code{white-space:nowrap}form+p{margin-top:20px;color:var(--soft);font-size:.9375rem}
`;

/** Asks the owner of an account whether a program may act for it, and for what. */
export function consentPage({
  program,
  account,
  scopes,
  way,
  action,
  problem,
}: ConsentPage): Promise<RenderedPage> {
  return authPage({
    status: problem === undefined ? 200 : 400,
    title: `Connect ${program.name}`,
    heading: "Connect a program?",
    // The answer leads to an address of the program.
    form: "anywhere",
    style,
    content: html`<p><strong dir="auto">${program.name}</strong> wants to act for your account ${way}.</p>
${origin(program)}
<div class="who"><p><strong dir="auto">${account.name}</strong>${account.email}</p></div>
${problem !== undefined && html`<p role="alert">${problem}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="account" value="${account.id}">
<fieldset><legend>It will be able to</legend>
${scopes.map(
  (scope) =>
    html`<label><input type="checkbox" name="scope" value="${scope}" checked>${meanings[scope]}</label>`,
)}
</fieldset>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="refuse" class="refuse">Refuse</button>
</form>
<p>You can end the connection at any time, in the settings.</p>`,
  });
}

/** Where the program is, and how much of what it says about itself is known to be true. */
function origin({ host, publisher, deviceCode, deviceAddress }: Program) {
  if (deviceCode !== undefined)
    return html`<p class="warning">Continue only if you started this yourself and your device shows the code
<strong class="code">${deviceCode}</strong>.${deviceAddress && html` The request came from ${deviceAddress}.`}</p>`;
  if (host !== null && host === publisher)
    return html`<p>It belongs to <strong>${host}</strong>, and your answer goes there.</p>`;
  const described =
    publisher === undefined
      ? "It chose its name itself."
      : html`Its description is from <strong>${publisher}</strong>, but your answer does not go there.`;
  if (host === null)
    return html`<p class="warning">${described} Your answer goes to <strong>a program on your own machine</strong>: continue
only if you have just started this there.</p>`;
  return html`<p class="warning">${described} Your answer goes to <strong>${host}</strong>: continue only if you know this
address.</p>`;
}

/** Asks a person to sign in first; `returnTo` is the path of the consent page. */
export function signInPage(
  program: Program,
  { choices, isLocal }: SignIn,
  returnTo: string,
  isAgain: boolean,
): Promise<RenderedPage> {
  const reason = isAgain
    ? "Your sign-in is older than ten minutes: sign in again to let a program act for your account."
    : "Sign in to decide whether it may act for your account.";
  return authPage({
    status: 200,
    title: `Connect ${program.name}`,
    heading: isAgain ? "Sign in again" : "Sign in",
    content: html`<p><strong dir="auto">${program.name}</strong> wants to connect. ${reason}</p>
${choices.length > 0 ? providers(choices, returnTo) : isLocal ? local(returnTo) : byHand(returnTo)}`,
  });
}

const providers = (
  choices: SignIn["choices"],
  returnTo: string,
) => html`<nav class="choices" aria-label="Sign in">
${choices.map(
  ({ title, login_url }) =>
    html`<a class="button plain" href="${login_url}?return_to=${encodeURIComponent(returnTo)}">Sign in with ${title}</a>`,
)}
</nav>`;

const next = (returnTo: string) =>
  html`<p class="choices"><a class="button" href="${returnTo}">I have signed in: continue</a></p>`;

const byHand = (
  returnTo: string,
) => html`<p>Open the link that the operator of this service sent you, then come back.</p>
${next(returnTo)}`;

const local = (returnTo: string) => html`<p>Open a one-time link, then come back. This command prints one:</p>
<pre>${commandOf("admin")} <span>login-link --email EMAIL</span></pre>
${next(returnTo)}`;

/** The account's plan does not include what the program needs. */
export const planPage = (program: Program, reason: string, action: string): Promise<RenderedPage> =>
  authPage({
    status: 403,
    title: "Your plan does not include this",
    form: "anywhere",
    content: html`<p><strong dir="auto">${program.name}</strong> cannot be connected: ${reason}.</p>
<form method="post" action="${action}"><button name="decision" value="refuse">Back to ${program.name}</button></form>`,
  });

/** The request of a program is over, or another browser's. */
export const lostPage = (): Promise<RenderedPage> =>
  authPage({
    status: 400,
    title: "This request is no longer valid",
    content: html`<p>It was answered already, has expired, or was started in another browser. Start again in the program.</p>`,
  });

/** A request that failed before the library saw it, or because of us. */
export const failurePage = ({
  status,
  message,
}: {
  status: number;
  message: string;
}): Promise<RenderedPage> =>
  authPage({
    status,
    title: status >= 500 ? "Something went wrong" : "This did not work",
    content: html`<p>${status === 500 ? "Sorry, this is a problem on our side. Please try again later" : message}.</p>`,
  });
