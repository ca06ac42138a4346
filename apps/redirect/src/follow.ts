import {
  AppError,
  type Decision,
  type RedirectCore,
  toAscii,
  type Visitor,
  withoutGlued,
} from "@terse/core/redirect";
import { isSecure, rateLimitKey } from "@terse/server";
import { type Answer, answerTo, badForm, methodNotAllowed, tooManyAttempts } from "./answer.ts";
import { clickOf, isFollowed } from "./click.ts";
import { domainAnswer } from "./domain.ts";
import { longPathOf, slugOf } from "./request-target.ts";
import { setUnlockCookie, unlockTokenOf } from "./unlock-cookie.ts";
import type { Visit } from "./visit.ts";
import { anonymousVisitor, visitorOf } from "./visitor.ts";

/** A password of 200 characters takes at most 1,800 bytes, percent-encoded. */
const maxFormBytes = 4096;

/** Methods of requests that a link with the status 307 or 308 sends on. */
const sentOn = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Answers `/{slug}`: GET and HEAD follow the link, POST submits the password of a protected one. */
export function followLink(core: RedirectCore, shortBase: string): (visit: Visit) => Promise<Answer> {
  return async (visit) => {
    const { method } = visit;
    if (method === "GET" || method === "HEAD") return follow(visit);
    const decision = await resolve(visit, anonymousVisitor);
    if (decision.kind === "password") {
      return method === "POST" ? unlock(visit, decision.link_id) : methodNotAllowed(visit, "GET, HEAD, POST");
    }
    if (method === "POST" && decision.kind === "redirect" && decision.counts_as === "fallback") {
      // It ended while its password form was open.
      await count(visit, decision);
      return answerTo(decision, visit, { submitted: true });
    }
    if (!isFollowed(decision)) return answerTo(decision, visit);
    const keepsMethod = decision.kind === "redirect" && (decision.status ?? 302) > 302;
    return keepsMethod && sentOn.has(method) ? follow(visit) : methodNotAllowed(visit, "GET, HEAD");
  };

  async function follow(visit: Visit): Promise<Answer> {
    const visitor = {
      ...visitorOf(core, visit, isSecure(visit, shortBase)),
      unlock_token: unlockTokenOf(visit),
    };
    const decision = await resolve(visit, visitor);
    await count(visit, decision);
    const elsewhere = await domainAnswer(core, visit.target, decision);
    return elsewhere ?? answerTo(decision, visit, { shortUrl: shortUrlOf(visit) });
  }

  /** Decides about the request's path, or, if that leads nowhere, about the rest without text glued to it. */
  async function resolve({ target: { host, path } }: Visit, visitor: Visitor): Promise<Decision> {
    const decision = await resolvePath(host, path, visitor);
    const shorter = decision.kind === "not_found" ? withoutGlued(path) : null;
    return shorter === null ? decision : resolvePath(host, shorter, visitor);
  }

  /** Decides about the slug that is the path, or the first part of it. */
  async function resolvePath(host: string, path: string, visitor: Visitor): Promise<Decision> {
    const slug = slugOf(path);
    const decision = slug === null ? notFound : await core.redirects.resolve(host, slug, visitor);
    if (decision.kind !== "not_found") return decision;
    const long = longPathOf(path);
    if (long === null) return decision;
    return core.redirects.resolve(host, long.slug, { ...visitor, path: toAscii(long.rest) });
  }

  function shortUrlOf(visit: Visit): string {
    const { host, path } = visit.target;
    const first = `/${path.split("/")[1]}`;
    return `${isSecure(visit, shortBase) ? "https" : "http"}://${host}${withoutGlued(first) ?? first}`;
  }

  async function unlock(visit: Visit, linkId: string): Promise<Answer> {
    const form = await visit.form(maxFormBytes);
    if (typeof form === "number") return badForm(visit, form);
    const password = form.get("password") ?? "";
    const client = rateLimitKey(visit.client.address);
    const refusal = await core.passwordAttempts.take(linkId, client);
    if (refusal !== null) return tooManyAttempts(visit, refusal);
    const secure = isSecure(visit, shortBase);
    const visitor = { ...visitorOf(core, visit, secure), client, password };
    const decision = await resolve(visit, visitor).catch(async (error: unknown) => {
      await core.passwordAttempts.refund(linkId, client); // it was not checked
      throw error;
    });
    if (decision.kind === "redirect") {
      await core.passwordAttempts.refund(linkId, client);
      if (decision.unlock_token) setUnlockCookie(visit, decision.unlock_token, secure);
    }
    await count(visit, decision);
    return answerTo(decision, visit, { submitted: true });
  }

  /** Runs before the response is sent, so no answered click is lost. */
  async function count(visit: Visit, decision: Decision): Promise<void> {
    if (!isFollowed(decision)) return;
    await core.clicks.record(clickOf(visit, decision));
    // If this process ends now, a click in memory is lost, and another visit gets it.
    if (decision.kind === "redirect" && decision.counts_as === "limited" && !core.clicks.canKeep())
      throw new AppError("SERVICE_UNAVAILABLE", "The click log cannot be written to", { retryAfter: 2 });
  }
}

const notFound: Decision = { kind: "not_found" };
