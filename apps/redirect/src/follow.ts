import { AppError, type Decision, type RedirectCore } from "@terse/core/redirect";
import { isForm, isSecure, rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context, Handler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Answer, answerTo, badForm, methodNotAllowed, send, tooManyAttempts } from "./answer.ts";
import { clickOf, isFollowed } from "./click.ts";
import { slugOf, targetOf } from "./request-target.ts";
import { setUnlockCookie, unlockTokenOf } from "./unlock-cookie.ts";
import { anonymousVisitor, visitorOf } from "./visitor.ts";

/** A password of 200 characters takes at most 1,800 bytes, percent-encoded. */
const maxFormBytes = 4096;

/** Rejects larger bodies with 413, whether the length is declared or not. */
export const limitBody = (maxSize: number) =>
  bodyLimit({ maxSize, onError: async (c) => send(c, await badForm(413)) });

export const limitForm = limitBody(maxFormBytes);

/** Answers `/{slug}`: GET and HEAD follow the link, POST submits the password of a protected one. */
export function followLink(core: RedirectCore, shortBase: string): Handler<ServerEnv> {
  return async (c) => send(c, await answer(c));

  async function answer(c: Context<ServerEnv>): Promise<Answer> {
    const { host, path } = targetOf(c.req.raw, c.env);
    const slug = slugOf(path);
    if (slug === null) return answerTo({ kind: "not_found" });
    const { method } = c.req;
    if (method === "GET" || method === "HEAD") {
      const decision = await core.redirects.resolve(host, slug, {
        ...visitorOf(c, isSecure(c, shortBase)),
        unlock_token: unlockTokenOf(c),
      });
      await count(c, decision);
      return answerTo(decision);
    }
    const decision = await core.redirects.resolve(host, slug, anonymousVisitor);
    if (method === "POST" && decision.kind === "redirect" && decision.counts_as === "fallback") {
      // It ended while its password form was open.
      await count(c, decision);
      return answerTo(decision, true);
    }
    if (isFollowed(decision)) return methodNotAllowed("GET, HEAD");
    if (decision.kind !== "password") return answerTo(decision);
    if (method !== "POST") return methodNotAllowed("GET, HEAD, POST");
    return unlock(c, host, slug, decision.link_id);
  }

  async function unlock(c: Context<ServerEnv>, host: string, slug: string, linkId: string): Promise<Answer> {
    const password = await submittedPassword(c);
    if (password === null) return badForm(415);
    const client = rateLimitKey(c.var.client.address);
    const refusal = await core.passwordAttempts.take(linkId, client);
    if (refusal !== null) return tooManyAttempts(refusal);
    const secure = isSecure(c, shortBase);
    const visitor = { ...visitorOf(c, secure), client, password };
    const decision = await core.redirects.resolve(host, slug, visitor).catch(async (error: unknown) => {
      await core.passwordAttempts.refund(linkId, client); // it was not checked
      throw error;
    });
    if (decision.kind === "redirect") {
      await core.passwordAttempts.refund(linkId, client);
      if (decision.unlock_token) setUnlockCookie(c, decision.unlock_token, secure);
    }
    await count(c, decision);
    return answerTo(decision, true);
  }

  /** Runs before the response is sent, so no answered click is lost. */
  async function count(c: Context<ServerEnv>, decision: Decision): Promise<void> {
    if (!isFollowed(decision)) return;
    await core.clicks.record(clickOf(c, decision));
    // If this process ends now, a click in memory is lost, and another visit gets it.
    if (decision.kind === "redirect" && decision.counts_as === "limited" && !core.clicks.canKeep())
      throw new AppError("SERVICE_UNAVAILABLE", "The click log cannot be written to", { retryAfter: 2 });
  }
}

/** Returns the password in a submitted form, "" if its field is missing, or null if the body is not a form. */
async function submittedPassword(c: Context<ServerEnv>): Promise<string | null> {
  if (!isForm(c.req.header("content-type"))) return null;
  return new URLSearchParams(await c.req.text()).get("password") ?? "";
}
