import { randomBytes } from "node:crypto";
import {
  agentOf,
  importAgent,
  isLinkPreview,
  type RedirectCore,
  toAscii,
  type Visitor,
} from "@terse/core/redirect";
import { rateLimitKey } from "@terse/server";
import { hintsOf, isBot } from "./click.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import type { Visit } from "./visit.ts";

const name = "terse_visitor";
const lifetimeSeconds = 90 * 24 * 60 * 60;
const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** Finds out what kind of link it is, without taking part in A/B tests, setting a cookie or taking a limited click. */
export const anonymousVisitor: Visitor = { country: () => null, id: () => "", isBot: () => true };

/**
 * The visitor behind a request. A cookie with a random id is set only if an A/B test asks for the id, and browsers send it
 * to that short URL only, so that it connects no visits of different links.
 */
export function visitorOf(core: Pick<RedirectCore, "countryOf">, visit: Visit, secure: boolean): Visitor {
  const { client, header } = visit;
  const agent = () => header("user-agent") ?? "";
  let id: string | undefined;
  return {
    // Two services that were moved to each other would ask each other without end.
    client: agent() === importAgent ? undefined : rateLimitKey(client.address),
    country: () => core.countryOf(client.country ?? "", client.address),
    id: () => (id ??= idInCookie(visit) ?? assignId(visit, secure)),
    query: () => toAscii(visit.target.query),
    language: () => header("accept-language") ?? "",
    referrer: () => header("referer") ?? "",
    agent: () => agentOf(agent(), hintsOf(visit)),
    address: () => client.address,
    isLinkPreview: () => isLinkPreview(agent()),
    isBot: () => isBot(visit),
  };
}

function idInCookie(visit: Visit): string | undefined {
  const value = cookieOf(visit, name);
  return value !== undefined && idPattern.test(value) ? value : undefined;
}

function assignId(visit: Visit, secure: boolean): string {
  const id = randomBytes(16).toString("base64url");
  setCookie(visit, name, id, { seconds: lifetimeSeconds, secure });
  return id;
}
