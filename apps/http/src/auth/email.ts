import { AppError, type Core, type EmailSignIn, type Failure, toFailure } from "@terse/core";
import { failureHeaders, isForm, isSecure, rateLimitKey, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { rejectForeignOrigin, sourceOf } from "../credentials.ts";
import { failure, success } from "../envelope.ts";
import { readForm, readJsonBody } from "../input.ts";
import { emailCodePage, emailLinkPage } from "./pages/email.ts";
import { accountKeptPage, notFoundPage, send, signInErrorPage, wordsOf } from "./pages/page.ts";
import { sentenceOf } from "./pages/sentence.ts";
import { localPath } from "./return-to.ts";
import { beginSession } from "./session-cookie.ts";

/** The secret of the browser that asked for a code, and the address, which the page shows again after a wrong code */
const cookie = "email_sign_in";
const path = "/auth";

/**
 * Signing in with a link or a code by e-mail. Forms get pages, programs with a JSON body the envelope. The code works only in the
 * browser that asked for it; the link opens a page with a button, because mail scanners open links, too.
 */
export function emailRoutes(core: Core, origin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { email } = core.logins;

  /** Runs a step for a form or a program; the refusal of a form is the page that `refused` makes. */
  async function handle(
    c: Context<ServerEnv>,
    step: (fields: Record<string, string>, isPage: boolean) => Promise<Response>,
    refused: (fields: Record<string, string>, failure: Failure) => Promise<Response>,
  ): Promise<Response> {
    const isPage = isForm(c.req.header("content-type"));
    let fields: Record<string, string> = {};
    try {
      rejectForeignOrigin(c, origin);
      fields = isPage ? Object.fromEntries(await readForm(c)) : textsOf(await readJsonBody(c.req.raw));
      return await step(fields, isPage);
    } catch (error) {
      const failed = toFailure(error);
      if (!isPage) return failure(c, error);
      if (failed.status >= 500) throw error;
      return refused(fields, failed);
    }
  }

  const showError = async (c: Context<ServerEnv>, failed: Failure) => {
    const words = wordsOf(c);
    const page = { status: failed.status, title: words.signIn.failed, ...sentenceOf(words, failed) };
    return send(c, await signInErrorPage(words, page), failureHeaders(failed));
  };

  /** The page for the code; with the reason if the last one was refused. */
  const askForCode = async (c: Context<ServerEnv>, address: string, failed?: Failure) => {
    const words = wordsOf(c);
    const problem = failed && sentenceOf(words, failed);
    const page = await emailCodePage(words, { status: failed?.status ?? 202, address, problem });
    return send(c, page, failed ? failureHeaders(failed) : {});
  };

  async function signIn(c: Context<ServerEnv>, { account, returnTo }: EmailSignIn, isPage: boolean) {
    const secure = isSecure(c.var, origin);
    const isKept = await begin(c, account, secure);
    deleteCookie(c, cookie, { path, secure });
    if (!isPage) return success(c, 200, { return_to: returnTo, deletion_revoked: isKept });
    return isKept ? send(c, await accountKeptPage(wordsOf(c), returnTo)) : c.redirect(returnTo, 303);
  }
  const begin = (c: Context<ServerEnv>, account: EmailSignIn["account"], secure: boolean) =>
    beginSession(c, core, account, { way: "e-mail", secure });

  app.use("/auth/email/*", async (c, next) => {
    if (email.isSet) return next();
    return c.req.method === "GET" || isForm(c.req.header("content-type"))
      ? send(c, await notFoundPage(wordsOf(c)))
      : failure(c, new AppError("NOT_FOUND", "This service sends no mail, so it cannot send codes"));
  });

  app.post("/auth/email", (c) =>
    handle(
      c,
      async ({ email: address = "", return_to }, isPage) => {
        const { browser, expires_at } = await email.request(
          { email: address.trim() },
          { returnTo: localPath(return_to), language: wordsOf(c).language, ...visitorOf(c) },
        );
        const secure = isSecure(c.var, origin);
        setCookie(c, cookie, browser, { path, secure, httpOnly: true, sameSite: "Lax", maxAge: 600 });
        return isPage ? askForCode(c, address.trim()) : success(c, 202, { expires_at });
      },
      (_fields, failed) => showError(c, failed),
    ),
  );

  app.post("/auth/email/code", (c) =>
    handle(
      c,
      async ({ email: address = "", code = "" }, isPage) => {
        const browser = getCookie(c, cookie) ?? "";
        return signIn(
          c,
          await email.redeemCode({ email: address.trim(), code, browser }, visitorOf(c)),
          isPage,
        );
      },
      ({ email: address = "" }, failed) => askForCode(c, address, failed),
    ),
  );

  app.get("/auth/email", async (c) => {
    const token = c.req.query("token") ?? "";
    const address = await email.addressOf(token);
    const words = wordsOf(c);
    return address === null
      ? send(c, await signInErrorPage(words, { status: 403, ...words.signIn.emailLinkUsed }))
      : send(c, await emailLinkPage(words, { address, token }));
  });

  app.post("/auth/email/link", (c) =>
    handle(
      c,
      async ({ token = "" }, isPage) => signIn(c, await email.redeemToken(token, visitorOf(c)), isPage),
      (_fields, failed) => showError(c, failed),
    ),
  );
  return app;
}

const visitorOf = (c: Context<ServerEnv>) => ({
  source: sourceOf(c),
  client: rateLimitKey(c.var.client.address),
});

/** The members of a body that are texts; anything else is as if it were missing. */
const textsOf = (body: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
