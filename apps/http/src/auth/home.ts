import { type Actor, callProcedure, type Core, type Person, toFailure } from "@terse/core";
import {
  failureHeaders,
  isLoopbackHost,
  isSecure,
  logo,
  rateLimitHeaders,
  type ServerEnv,
} from "@terse/server";
import { type Context, Hono } from "hono";
import { rejectForeignOrigin, sessionToken, sourceOf } from "../credentials.ts";
import { readForm } from "../input.ts";
import { type Choice, dashboardPage, welcomePage } from "./pages/home.ts";
import { send, wordsOf } from "./pages/page.ts";
import { sentenceOf } from "./pages/sentence.ts";
import { endSession } from "./session-cookie.ts";

/** Serves `/shorten`, for browsers without JavaScript: the ways to sign in or, for signed-in users, a form that shortens a URL. */
export function homeRoutes(core: Core, origin: string, choices: readonly Choice[]): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const signIn = {
    choices,
    isLocal: isLoopbackHost(new URL(origin).hostname),
    passkeys: core.passkeys.isSupported,
    hasEmail: core.logins.email.isSet,
  };
  const dashboardOf = ({ user, account }: SignedIn) => ({ user, plan: core.plans[account.plan].title });

  // Browsers request it with every page
  app.get("/favicon.ico", (c) =>
    c.body(logo("32"), 200, { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=86400" }),
  );

  app.get("/shorten", async (c) => {
    const actor = await signedIn(c, core).catch(async (error: unknown) => {
      if (toFailure(error).status === 403) await endSession(c, core, isSecure(c.var, origin)); // to sign in as someone else
      throw error;
    });
    if (!actor) {
      await endSession(c, core, isSecure(c.var, origin)); // an invalid cookie would make every API call fail
      return send(c, await welcomePage(wordsOf(c), signIn));
    }
    const id = c.req.query("link");
    const link = id ? await core.caller(actor).links.get({ id }).catch(unlessMissing) : undefined;
    return send(c, await dashboardPage(wordsOf(c), { ...dashboardOf(actor), link }));
  });

  app.post("/shorten", async (c) => {
    rejectForeignOrigin(c, origin);
    const actor = await signedIn(c, core);
    if (!actor) return send(c, await welcomePage(wordsOf(c), signIn, 401), failureHeaders({ status: 401 }));
    const url = (await readForm(c)).get("url") ?? "";
    const context = core.createContext(actor);
    try {
      const { id } = await callProcedure(core.router.links.create, context, () => ({ url }));
      return c.redirect(`/shorten?link=${id}`, 303);
    } catch (error) {
      const failure = toFailure(error);
      const { status } = failure;
      if (status >= 500) throw error;
      const words = wordsOf(c);
      const rejected = { status, url, reason: sentenceOf(words, failure) };
      const page = await dashboardPage(words, { ...dashboardOf(actor), rejected });
      return send(c, page, { ...failureHeaders(failure), ...rateLimitHeaders(context.reply.rateLimit) });
    }
  });
  return app;
}

type SignedIn = Actor & { kind: "account"; user: Person };

/** Returns the owner of the cookie's session, or null if there is no session or it has expired. */
async function signedIn(c: Context<ServerEnv>, core: Core): Promise<SignedIn | null> {
  const token = sessionToken(c);
  const actor = token ? await core.credentials.bySession(token, sourceOf(c)) : null;
  return actor?.kind === "account" && actor.user ? { ...actor, user: actor.user } : null;
}

function unlessMissing(error: unknown): undefined {
  if (toFailure(error).status !== 404) throw error;
}
