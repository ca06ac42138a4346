import type { Decision, RedirectCore } from "@terse/core/redirect";
import { isSecure, rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context, Handler } from "hono";
import { answerTo, badForm, methodNotAllowed, tooManyGuesses } from "./answer.ts";
import { send, targetOf } from "./hono.ts";
import type { Answer } from "./plain-answer.ts";
import { submittedPassword } from "./form.ts";
import { keepPass, passOf } from "./unlock-cookie.ts";
import { slugOf } from "./target.ts";
import { clickOf, isFollowed } from "./click.ts";
import { nobody, visitorOf } from "./visitor.ts";

/** Answers `/{slug}`: GET and HEAD follow the link, POST brings the password of a protected one. */
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
        unlock_token: passOf(c),
      });
      await count(c, decision);
      return answerTo(decision);
    }
    const decision = await core.redirects.resolve(host, slug, nobody);
    if (isFollowed(decision)) return methodNotAllowed("GET, HEAD");
    if (decision.kind !== "password") return answerTo(decision);
    if (method !== "POST") return methodNotAllowed("GET, HEAD, POST");
    return unlock(c, host, slug, decision.link_id);
  }

  async function unlock(c: Context<ServerEnv>, host: string, slug: string, linkId: string): Promise<Answer> {
    const password = await submittedPassword(c);
    if (password === null) return badForm(415);
    const client = rateLimitKey(c.var.client.address);
    const wait = await core.passwordAttempts.take(linkId, client);
    if (wait !== null) return tooManyGuesses(core.passwordAttempts, wait);
    const secure = isSecure(c, shortBase);
    const visitor = { ...visitorOf(c, secure), password };
    const decision = await core.redirects.resolve(host, slug, visitor).catch(async (error: unknown) => {
      await core.passwordAttempts.refund(linkId, client); // nobody has looked at it
      throw error;
    });
    if (decision.kind === "redirect") {
      await core.passwordAttempts.refund(linkId, client);
      if (decision.unlock_token) keepPass(c, decision.unlock_token, secure);
    }
    await count(c, decision);
    return answerTo(decision, true);
  }

  /** Before the answer goes out: a click that was answered is never lost. */
  async function count(c: Context<ServerEnv>, decision: Decision): Promise<void> {
    if (isFollowed(decision)) await core.clicks.record(clickOf(c, decision));
  }
}
