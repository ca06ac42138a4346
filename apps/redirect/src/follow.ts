import { AppError, type Decision, type RedirectCore, type Visitor } from "@terse/core/redirect";
import { isForm, isSecure, rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context, Handler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Answer, answerTo, badForm, methodNotAllowed, send, tooManyAttempts } from "./answer.ts";
import { clickOf, isFollowed } from "./click.ts";
import { domainAnswer } from "./domain.ts";
import { longPathOf, slugOf, targetOf, toAscii } from "./request-target.ts";
import { setUnlockCookie, unlockTokenOf } from "./unlock-cookie.ts";
import { anonymousVisitor, visitorOf } from "./visitor.ts";

/** A password of 200 characters takes at most 1,800 bytes, percent-encoded. */
const maxFormBytes = 4096;

/** Rejects larger bodies with 413, whether the length is declared or not. */
export const limitBody = (maxSize: number) =>
  bodyLimit({ maxSize, onError: async (c) => send(c, await badForm(413)) });

const limitForm = limitBody(maxFormBytes);

/** Methods of requests that a link with the status 307 or 308 sends on. */
const sentOn = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Answers `/{slug}`: GET and HEAD follow the link, POST submits the password of a protected one. */
export function followLink(core: RedirectCore, shortBase: string): Handler<ServerEnv> {
  return async (c) => {
    const { method } = c.req;
    if (method === "GET" || method === "HEAD") return send(c, await visit(c));
    const decision = await resolve(c, anonymousVisitor);
    if (decision.kind === "password" && method === "POST") {
      let answer: Answer | undefined;
      const refusal = await limitForm(c, async () => {
        answer = await unlock(c, decision.link_id);
      });
      return refusal ?? send(c, answer as Answer);
    }
    if (decision.kind === "password") return send(c, await methodNotAllowed("GET, HEAD, POST"));
    if (method === "POST" && decision.kind === "redirect" && decision.counts_as === "fallback") {
      // It ended while its password form was open.
      await count(c, decision);
      return send(c, await answerTo(decision, { submitted: true }));
    }
    if (!isFollowed(decision)) return send(c, await answerTo(decision));
    const keepsMethod = decision.kind === "redirect" && (decision.status ?? 302) > 302;
    return send(c, keepsMethod && sentOn.has(method) ? await visit(c) : await methodNotAllowed("GET, HEAD"));
  };

  async function visit(c: Context<ServerEnv>): Promise<Answer> {
    const { host, path } = targetOf(c.req.raw, c.env);
    const visitor = { ...visitorOf(core, c, isSecure(c, shortBase)), unlock_token: unlockTokenOf(c) };
    const decision = await resolve(c, visitor);
    await count(c, decision);
    const elsewhere = await domainAnswer(core, { host, path }, decision);
    return elsewhere ?? answerTo(decision, { shortUrl: shortUrlOf(c) });
  }

  /** Decides about the slug in the request's path, or in the first part of it. */
  async function resolve(c: Context<ServerEnv>, visitor: Visitor): Promise<Decision> {
    const { host, path } = targetOf(c.req.raw, c.env);
    const slug = slugOf(path);
    const decision = slug === null ? notFound : await core.redirects.resolve(host, slug, visitor);
    if (decision.kind !== "not_found") return decision;
    const long = longPathOf(path);
    if (long === null) return decision;
    return core.redirects.resolve(host, long.slug, { ...visitor, path: toAscii(long.rest) });
  }

  function shortUrlOf(c: Context<ServerEnv>): string {
    const { host, path } = targetOf(c.req.raw, c.env);
    return `${isSecure(c, shortBase) ? "https" : "http"}://${host}/${path.split("/")[1]}`;
  }

  async function unlock(c: Context<ServerEnv>, linkId: string): Promise<Answer> {
    const password = await submittedPassword(c);
    if (password === null) return badForm(415);
    const client = rateLimitKey(c.var.client.address);
    const refusal = await core.passwordAttempts.take(linkId, client);
    if (refusal !== null) return tooManyAttempts(refusal);
    const secure = isSecure(c, shortBase);
    const visitor = { ...visitorOf(core, c, secure), client, password };
    const decision = await resolve(c, visitor).catch(async (error: unknown) => {
      await core.passwordAttempts.refund(linkId, client); // it was not checked
      throw error;
    });
    if (decision.kind === "redirect") {
      await core.passwordAttempts.refund(linkId, client);
      if (decision.unlock_token) setUnlockCookie(c, decision.unlock_token, secure);
    }
    await count(c, decision);
    return answerTo(decision, { submitted: true });
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

const notFound: Decision = { kind: "not_found" };

/** Returns the password in a submitted form, "" if its field is missing, or null if the body is not a form. */
async function submittedPassword(c: Context<ServerEnv>): Promise<string | null> {
  if (!isForm(c.req.header("content-type"))) return null;
  return new URLSearchParams(await c.req.text()).get("password") ?? "";
}
