import type { Person, Scope } from "@terse/core";
import type { RenderedPage, Words } from "@terse/server";
import { html } from "hono/html";
import { emailForm } from "../../auth/pages/email.ts";
import { command, passkeyLink, providerLinks, type SignIn } from "../../auth/pages/home.ts";
import { authPage } from "../../auth/pages/page.ts";
import type { Sentence } from "../../auth/pages/sentence.ts";
import type { Program } from "../program.ts";
import type { Resource } from "../resources.ts";

export interface ConsentPage {
  program: Program;
  user: Person;
  /** The workspaces among which the person chooses */
  workspaces: readonly { id: string; name: string }[];
  scopes: readonly Scope[];
  /** How the program reaches the account */
  way: Resource["way"];
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

const nameOf = ({ name }: Program) => html`<strong dir="auto">${name}</strong>`;

/** A choice if there are several */
const workspaceField = (label: string, workspaces: ConsentPage["workspaces"]) =>
  workspaces.length === 1
    ? html`<input type="hidden" name="workspace" value="${workspaces[0]?.id}">`
    : html`<label for="workspace">${label}</label>
<select id="workspace" name="workspace">
${workspaces.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
</select>`;

/** Asks the owner of an account whether a program may act for it, and for what. */
export function consentPage(
  words: Words,
  { program, user, workspaces, scopes, way, action, problem }: ConsentPage,
): Promise<RenderedPage> {
  const { consent } = words;
  return authPage({
    status: problem === undefined ? 200 : 400,
    words,
    title: consent.connect(program.name),
    heading: consent.question,
    // The answer leads to an address of the program.
    form: "anywhere",
    style,
    content: html`<p>${consent.wants(nameOf(program), consent.ways[way])}</p>
${origin(words, program)}
<div class="who"><p><strong dir="auto">${user.name}</strong>${user.email}</p></div>
${problem !== undefined && html`<p role="alert">${problem}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="account" value="${user.id}">
${workspaceField(consent.workspace, workspaces)}
<fieldset><legend>${consent.can}</legend>
${scopes.map(
  (scope) =>
    html`<label><input type="checkbox" name="scope" value="${scope}" checked>${consent.scopes[scope]}</label>`,
)}
</fieldset>
<button name="decision" value="allow">${consent.allow}</button>
<button name="decision" value="refuse" class="refuse">${consent.refuse}</button>
</form>
<p>${consent.end}</p>`,
  });
}

/** Where the program is, and how much of its own description is proven. */
function origin({ consent }: Words, { host, publisher, deviceCode, deviceAddress }: Program) {
  if (deviceCode !== undefined)
    return html`<p class="warning">${consent.device(html`<strong class="code">${deviceCode}</strong>`)}${deviceAddress && ` ${consent.deviceAt(deviceAddress)}`}</p>`;
  if (host !== null && host === publisher) return html`<p>${consent.own(html`<strong>${host}</strong>`)}</p>`;
  const described =
    publisher === undefined ? consent.unnamed : consent.described(html`<strong>${publisher}</strong>`);
  const to = host === null ? consent.toComputer : consent.toHost(html`<strong>${host}</strong>`);
  return html`<p class="warning">${described} ${to}</p>`;
}

/** Asks a person to sign in first; `returnTo` is the path of the consent page. */
export function signInPage(
  words: Words,
  program: Program,
  { choices, isLocal, passkeys, hasEmail }: SignIn,
  { returnTo, isAgain }: { returnTo: string; isAgain: boolean },
): Promise<RenderedPage> {
  const { consent } = words;
  const byLink = html`${isLocal ? command(consent.local) : html`<p>${consent.byHand}</p>`}
<p class="choices"><a class="button" href="${returnTo}">${consent.signedIn}</a></p>`;
  return authPage({
    status: 200,
    words,
    title: consent.connect(program.name),
    heading: isAgain ? consent.signInAgain : consent.signIn,
    form: "anywhere",
    content: html`<p>${consent.wantsIn(nameOf(program))} ${isAgain ? consent.tooOld : consent.decide}</p>
${choices.length > 0 ? providerLinks(words, choices, returnTo) : !hasEmail && byLink}
${passkeys && passkeyLink(words, returnTo)}
${hasEmail && emailForm(words, returnTo)}`,
  });
}

/** The account's plan does not include what the program needs. */
export const planPage = (
  words: Words,
  program: Program,
  plan: string,
  action: string,
): Promise<RenderedPage> =>
  authPage({
    status: 403,
    words,
    title: words.consent.planTitle,
    form: "anywhere",
    content: html`<p>${words.consent.plan(nameOf(program), plan)}</p>
<form method="post" action="${action}"><button name="decision" value="refuse">${words.consent.backTo(program.name)}</button></form>`,
  });

/** The request of a program is over, or another browser's. */
export const lostPage = (words: Words): Promise<RenderedPage> =>
  authPage({
    status: 400,
    words,
    title: words.consent.lost.title,
    content: html`<p>${words.consent.lost.text}</p>`,
  });

/** A request that failed before the library saw it, or because of us. */
export const failurePage = (
  words: Words,
  status: number,
  { text, isForeign = false }: Sentence,
): Promise<RenderedPage> =>
  authPage({
    status,
    words,
    hasSwitch: false,
    title: status >= 500 ? words.ourFault.title : words.consent.failed,
    content: html`<p${isForeign && html` lang="en"`}>${text}</p>`,
  });
