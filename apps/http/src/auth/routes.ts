import { AppError, type Core } from "@terse/core";
import { failureHeaders, isSecure, type Logger, type ServerEnv, type Settings } from "@terse/server";
import { type Context, Hono } from "hono";
import { rejectForeignOrigin, sourceOf } from "../credentials.ts";
import { success } from "../envelope.ts";
import { findAttempt, forgetAttempt, newAttempt, rememberAttempt } from "./attempt.ts";
import { emailRoutes } from "./email.ts";
import { homeRoutes } from "./home.ts";
import { localLogin } from "./local.ts";
import { accountKeptPage, send, signInErrorPage, wordsOf } from "./pages/page.ts";
import { passkeyRoutes } from "./passkeys.ts";
import type { Provider } from "./provider.ts";
import { choicesOf, createProviders } from "./providers.ts";
import { forLog, lostAttempt, type SignInError, toSignInError, unknownProvider } from "./sign-in-error.ts";
import { localPath } from "./return-to.ts";
import { beginSession, endSession } from "./session-cookie.ts";

export interface AuthOptions {
  core: Core;
  settings: Pick<Settings, "BASE_URL" | "TRUSTED_PROXIES" | "OAUTH_PROVIDERS"> &
    Partial<Pick<Settings, "GROUP_ROLES">>;
  logger: Logger;
}

/** Routes for signing in and out, and the page at `/shorten`. All are pages for people, except the JSON list of providers. */
export function authRoutes({ core, settings, logger }: AuthOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { origin } = new URL(settings.BASE_URL);
  const readsGroups = (settings.GROUP_ROLES ?? []).length > 0;
  const providers = createProviders(settings.OAUTH_PROVIDERS, readsGroups);
  const choices = choicesOf(settings.OAUTH_PROVIDERS, origin);
  const callbackOf = ({ name }: Provider) => `${origin}/auth/callback/${name}`;

  app.use("/auth/*", async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
  });

  app.get("/auth/providers", (c) =>
    success(c, 200, {
      providers: choices,
      passkeys: core.passkeys.isSupported,
      email: core.logins.email.isSet,
    }),
  );
  app.route("/", emailRoutes(core, origin));

  app.get("/auth/login/:provider", (c) =>
    withProvider(c, c.req.param("provider"), async (provider) => {
      const attempt = newAttempt(provider.name, localPath(c.req.query("return_to")));
      const { href } = await provider.authorizationUrl(attempt, callbackOf(provider));
      rememberAttempt(c, attempt, isSecure(c.var, origin));
      return c.redirect(href);
    }),
  );

  app.get("/auth/callback/:provider", (c) =>
    withProvider(c, c.req.param("provider"), async (provider) => {
      const attempt = findAttempt(c, provider.name);
      if (!attempt) return showError(c, lostAttempt(wordsOf(c)));
      const callback = new URL(callbackOf(provider) + new URL(c.req.url).search);
      const account = await core.logins.signIn(await provider.identify(attempt, callback), sourceOf(c));
      const secure = isSecure(c.var, origin);
      const isKept = await beginSession(c, core, account, { way: provider.name, secure });
      forgetAttempt(c, attempt, secure);
      return isKept
        ? send(c, await accountKeptPage(wordsOf(c), attempt.returnTo))
        : c.redirect(attempt.returnTo);
    }),
  );

  const local = localLogin(core, settings);
  app.get("/auth/local", local.open);
  app.post("/auth/local", local.confirm);

  app.post("/auth/logout", async (c) => {
    rejectForeignOrigin(c, origin);
    await endSession(c, core, isSecure(c.var, origin));
    return c.redirect("/", 303);
  });

  app.route("/", passkeyRoutes(core, origin));
  app.route("/", homeRoutes(core, origin, choices));
  app.onError((error, c) => showError(c, toSignInError(wordsOf(c), error, "OAuth"), error));

  /** Runs a step with a provider. Errors become a page and leave the browser's cookies unchanged. */
  async function withProvider(
    c: Context<ServerEnv>,
    name: string,
    step: (provider: Provider) => Promise<Response>,
  ) {
    const provider = providers.get(name);
    if (!provider) return showError(c, unknownProvider(wordsOf(c)));
    return step(provider).catch((error: unknown) =>
      showError(c, toSignInError(wordsOf(c), error, provider.title), error, name),
    );
  }

  async function showError(
    c: Context,
    signInError: SignInError,
    error?: unknown,
    provider?: string,
  ): Promise<Response> {
    // Our own errors are logged with their stack; provider errors without data that could identify the user.
    if (signInError.status >= 500)
      c.error = signInError.status === 500 && error instanceof Error ? error : forLog(error);
    else if (error && !(error instanceof AppError)) {
      logger.warn({ provider, reason: forLog(error).message }, "sign-in failed");
    }
    return send(c, await signInErrorPage(wordsOf(c), signInError), failureHeaders(signInError));
  }
  return app;
}
