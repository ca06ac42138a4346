import { randomBytes } from "node:crypto";
import { countryOf, type Visitor } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

const name = "terse_visitor";
const year = 365 * 24 * 60 * 60;
const shape = /^[A-Za-z0-9_-]{22}$/;

/** Looks at a link without being anybody: learns what kind it is, takes no part in A/B tests and gets no cookie. */
export const nobody: Visitor = { country: () => null, id: () => "" };

/**
 * The person behind a request. A cookie with a random id is set only where a link asks who it is, so that plain links
 * leave nothing behind.
 */
export function visitorOf(c: Context<ServerEnv>, secure: boolean): Visitor {
  let id: string | undefined;
  return {
    country: () => countryOf(c.var.client.country ?? "", c.var.client.address),
    id: () => (id ??= known(c) ?? introduce(c, secure)),
  };
}

function known(c: Context): string | undefined {
  const value = getCookie(c, name);
  return value !== undefined && shape.test(value) ? value : undefined;
}

function introduce(c: Context, secure: boolean): string {
  const id = randomBytes(16).toString("base64url");
  setCookie(c, name, id, { path: "/", maxAge: year, httpOnly: true, sameSite: "Lax", secure });
  return id;
}
