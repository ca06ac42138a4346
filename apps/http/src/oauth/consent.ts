import { type Actor, AppError, type Core, planWith } from "@terse/core";
import type { ServerEnv, Words } from "@terse/server";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Interaction, Provider } from "oidc-provider";
import type { SignIn } from "../auth/pages/home.ts";
import { send, wordsOf } from "../auth/pages/page.ts";
import { rejectForeignOrigin, sessionToken, sourceOf } from "../credentials.ts";
import { readForm } from "../input.ts";
import { consentPage, lostPage, planPage, signInPage } from "./pages/consent-page.ts";
import { paths } from "./paths.ts";
import { type Program, programOf } from "./program.ts";
import { type Resource, type Resources, scopesIn } from "./resources.ts";

type Signed = Actor & { kind: "account" };
/** A signed-in person, and their workspaces whose plan a program can work with */
interface Person {
  actor: Signed;
  user: NonNullable<Signed["user"]>;
  workspaces: readonly { id: string; name: string }[];
}

/** What a program asks for, and whom. */
interface Question {
  words: Words;
  interaction: Interaction;
  program: Program;
  resource: Resource;
  /** The path of the page */
  path: string;
}

/** Handles the page that asks the owner of an account whether a program may act for it. */
export function consentPages(core: Core, origin: string, resources: Resources, signIn: SignIn) {
  /** Null if this browser has not been asked this. */
  async function questionOf(c: Context<ServerEnv>, provider: Provider): Promise<Question | null> {
    const words = wordsOf(c);
    const uid = c.req.param("uid") ?? "";
    if (getCookie(c, "oauth_consent") !== uid) return null;
    const interaction = await provider.Interaction.find(uid);
    const program = interaction && (await programOf(provider, interaction, words.consent));
    const resource = resources.find(String([interaction?.params["resource"]].flat()[0]));
    return program && resource
      ? { words, interaction, program, resource, path: `${paths.consent}/${uid}` }
      : null;
  }

  async function personOf(c: Context<ServerEnv>, { resource }: Question): Promise<Person | null> {
    const token = sessionToken(c);
    const actor = token ? await core.credentials.bySession(token, sourceOf(c)) : null;
    if (actor?.kind !== "account" || !actor.user) return null;
    const all = await core.caller(actor).workspaces.list();
    const workspaces = all.filter(
      ({ plan, deletes_at }) => deletes_at === null && core.plans[plan].features[resource.feature],
    );
    return { actor, user: actor.user, workspaces };
  }

  /** The page that stands between a question and its answer; null if this person can answer now. */
  async function obstacle({ words, program, path, resource }: Question, person: Person | null) {
    if (!person) return signInPage(words, program, signIn, { returnTo: path, isAgain: false });
    if (isRefused(() => core.oauth.requireRecentSignIn(person.actor)))
      return signInPage(words, program, signIn, { returnTo: path, isAgain: true });
    const plan = core.plans[planWith(core.plans, resource.feature)].title;
    return person.workspaces.length === 0 ? planPage(words, program, plan, path) : null;
  }

  const ask = (
    { words, program, interaction, resource, path }: Question,
    { user, workspaces }: Person,
    problem?: string,
  ) =>
    consentPage(words, {
      program,
      user,
      workspaces,
      scopes: scopesIn(resource, interaction.params["scope"]),
      way: resource.way,
      action: path,
      problem,
    });

  return {
    async show(c: Context<ServerEnv>, provider: Provider): Promise<Response> {
      const question = await questionOf(c, provider);
      if (!question) return send(c, await lostPage(wordsOf(c)));
      const person = await personOf(c, question);
      const page = (await obstacle(question, person)) ?? (person && (await ask(question, person)));
      return send(c, page ?? (await lostPage(question.words)), sameOrigin);
    },

    async decide(c: Context<ServerEnv>, provider: Provider): Promise<Response> {
      rejectForeignOrigin(c, origin);
      const form = await readForm(c);
      const question = await questionOf(c, provider);
      if (!question) return send(c, await lostPage(wordsOf(c)));
      const { words, interaction, program, resource } = question;
      if (form.get("decision") !== "allow") {
        return finish(c, interaction, { error: "access_denied", error_description: "The user refused" });
      }
      const person = await personOf(c, question);
      const page = await obstacle(question, person);
      if (page || !person) return send(c, page ?? (await lostPage(words)), sameOrigin);
      const { actor, user, workspaces } = person;
      const chosenWorkspace = workspaces.find(({ id }) => id === form.get("workspace"));
      // The page named a person; another tab may have signed in as another one since.
      if (form.get("account") !== user.id || !chosenWorkspace)
        return send(c, await ask(question, person, words.consent.otherAccount), sameOrigin);
      const chosen = form.getAll("scope");
      const scopes = scopesIn(resource, interaction.params["scope"]).filter((scope) =>
        chosen.includes(scope),
      );
      if (scopes.length === 0) return send(c, await ask(question, person, words.consent.noScope), sameOrigin);

      const account = { ...actor.account, ...chosenWorkspace };
      c.set("account", account.id);
      const client_id = String(interaction.params["client_id"]);
      const jti = await core.oauth.connect({
        account,
        user_id: user.id,
        session_id: actor.session_id,
        client_id,
        client_name: program.name,
        // A program on the user's machine is listed under the host that describes it.
        client_host: program.host ?? program.publisher ?? null,
        resource: resource.address,
        scopes,
        source: sourceOf(c),
      });
      const grant = new provider.Grant({ jti, accountId: account.id, clientId: client_id });
      grant.addResourceScope(resource.address, scopes.join(" "));
      await grant.save();
      // Nothing is remembered of this sign-in: the next request asks again.
      return finish(c, interaction, {
        login: { accountId: account.id, remember: false },
        consent: { grantId: jti },
      });
    },
  };
}

/** With another policy, browsers would send the form without its origin. */
const sameOrigin = { "Referrer-Policy": "same-origin" };

async function finish(
  c: Context,
  interaction: Interaction,
  result: Interaction["result"],
): Promise<Response> {
  interaction.result = result;
  await interaction.persist();
  return c.redirect(interaction.returnTo, 303);
}

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}
