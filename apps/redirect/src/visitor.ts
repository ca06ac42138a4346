import { randomBytes } from "node:crypto";
import { agentOf, importAgent, isLinkPreview, type RedirectCore, type Visitor } from "@terse/core/redirect";
import { rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { hintsOf, isBot } from "./click.ts";
import { cookiePathOf, targetOf, toAscii } from "./request-target.ts";

const name = "terse_visitor";
const lifetimeSeconds = 90 * 24 * 60 * 60;
const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** Finds out what kind of link it is, without taking part in A/B tests, setting a cookie or taking a limited click. */
export const anonymousVisitor: Visitor = { country: () => null, id: () => "", isBot: () => true };

/**
 * The visitor behind a request. A cookie with a random id is set only if an A/B test asks for the id, and browsers send it
 * to that short URL only, so that it connects no visits of different links.
 */
export function visitorOf(
  core: Pick<RedirectCore, "countryOf">,
  c: Context<ServerEnv>,
  secure: boolean,
): Visitor {
  let id: string | undefined;
  return {
    // Two services that were moved to each other would ask each other without end.
    client: c.req.header("user-agent") === importAgent ? undefined : rateLimitKey(c.var.client.address),
    country: () => core.countryOf(c.var.client.country ?? "", c.var.client.address),
    id: () => (id ??= idInCookie(c) ?? assignId(c, secure)),
    query: () => toAscii(targetOf(c.req.raw, c.env).query),
    language: () => c.req.header("accept-language") ?? "",
    referrer: () => c.req.header("referer") ?? "",
    agent: () => agentOf(c.req.header("user-agent") ?? "", hintsOf(c)),
    address: () => c.var.client.address,
    isLinkPreview: () => isLinkPreview(c.req.header("user-agent") ?? ""),
    isBot: () => isBot(c),
  };
}

function idInCookie(c: Context): string | undefined {
  const value = getCookie(c, name);
  return value !== undefined && idPattern.test(value) ? value : undefined;
}

function assignId(c: Context, secure: boolean): string {
  const id = randomBytes(16).toString("base64url");
  const path = cookiePathOf(c.req.raw, c.env);
  if (path !== null) {
    setCookie(c, name, id, { path, maxAge: lifetimeSeconds, httpOnly: true, sameSite: "Lax", secure });
  }
  return id;
}
