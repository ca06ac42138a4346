import { type Core, toFailure } from "@terse/core";
import { isLoopbackHost, type RenderedPage, type ServerEnv, type Words } from "@terse/server";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { emailForm } from "./auth/pages/email.ts";
import { type Choice, command, passkeyLink, providerLinks, type SignIn } from "./auth/pages/home.ts";
import { authPage, send, signInErrorPage, wordsOf } from "./auth/pages/page.ts";
import { sentenceOf } from "./auth/pages/sentence.ts";
import { toSignInError } from "./auth/sign-in-error.ts";
import { rejectForeignOrigin, sessionToken, sourceOf } from "./credentials.ts";

/** Serves `/invite/{token}`, where a signed-in person accepts an invitation to a workspace. */
export function invitationRoutes(core: Core, origin: string, choices: readonly Choice[]): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const path = "/invite/:token{[A-Za-z0-9_-]{1,200}}";
  const signIn = {
    choices,
    isLocal: isLoopbackHost(new URL(origin).hostname),
    passkeys: core.passkeys.isSupported,
    hasEmail: core.logins.email.isSet,
  };

  /** The owner of the cookie's session, in their own workspace; null without a session. */
  async function personOf(c: Context<ServerEnv>) {
    const token = sessionToken(c);
    const source = { ...sourceOf(c), workspace: undefined };
    const actor = token ? await core.credentials.bySession(token, source) : null;
    if (actor?.kind !== "account" || !actor.user) return null;
    c.set("account", actor.account.id);
    return { actor, user: actor.user };
  }

  app.get(path, async (c) => {
    const words = wordsOf(c);
    const token = c.req.param("token");
    const person = await personOf(c);
    // Without a session, all invitations look the same.
    if (!person) return send(c, await signInPage(words, signIn, `/invite/${token}`));
    const found = await core.invitations.open(token, person.user.id);
    if (!found) return send(c, await missingPage(words, person.user));
    const { invitation } = words;
    const content = html`<p>${invitation.role(found.role)}</p>
<p>${invitation.signedInAs(person.user.email)}</p>
<form method="post" action="/invite/${token}"><button>${invitation.join}</button></form>`;
    return send(
      c,
      await authPage({ status: 200, words, title: invitation.title(found.workspace), form: "self", content }),
    );
  });

  app.post(path, async (c) => {
    rejectForeignOrigin(c, origin);
    const words = wordsOf(c);
    const token = c.req.param("token");
    const person = await personOf(c);
    if (!person) return send(c, await signInPage(words, signIn, `/invite/${token}`, 401));
    try {
      const { id } = await core.caller(person.actor).invitations.accept({ token });
      return c.redirect(`/?workspace=${id}`, 303);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.status === 404) return send(c, await missingPage(words, person.user));
      if (failure.issues[0]?.code !== "limit_reached") throw error;
      const { failed: title, full: text } = words.invitation;
      return send(c, await signInErrorPage(words, { status: 403, title, text }));
    }
  });

  app.onError(async (error, c) => {
    const words = wordsOf(c);
    const failure = toFailure(error);
    if (failure.status >= 500) {
      c.error = error;
      return send(c, await signInErrorPage(words, toSignInError(words, error, "")));
    }
    const { status } = failure;
    const page = { status, title: words.invitation.failed, ...sentenceOf(words, failure) };
    return send(c, await signInErrorPage(words, page));
  });
  return app;
}

/** Asks a visitor to sign in, and leads back to the invitation. */
function signInPage(
  words: Words,
  { choices, isLocal, passkeys, hasEmail }: SignIn,
  returnTo: string,
  status = 200,
): Promise<RenderedPage> {
  const { invitation, consent } = words;
  const byLink = html`${isLocal ? command(consent.local) : html`<p>${consent.byHand}</p>`}
<p class="choices"><a class="button" href="${returnTo}">${consent.signedIn}</a></p>`;
  return authPage({
    status,
    words,
    title: invitation.signIn,
    form: hasEmail ? "self" : "none",
    content: html`<p>${invitation.signInText}</p>
${choices.length > 0 ? providerLinks(words, choices, returnTo) : !hasEmail && byLink}
${passkeys && passkeyLink(words, returnTo)}
${hasEmail && emailForm(words, returnTo)}`,
  });
}

/** The same for every invitation that this person cannot accept. */
const missingPage = (words: Words, { email }: { email: string }): Promise<RenderedPage> =>
  authPage({
    status: 404,
    words,
    title: words.invitation.missing.title,
    content: html`<p>${words.invitation.missing.text}</p>
<p>${words.invitation.signedInAs(email)}</p>
<p class="choices"><a class="button" href="/">${words.invitation.open}</a></p>`,
  });
