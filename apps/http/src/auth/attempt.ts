import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { localPath } from "./return-to.ts";

/** One login under way. Nothing of it is kept here: a cookie in the browser that began it carries it. */
export interface Attempt {
  /** What all the rest is made of; never leaves the browser and us */
  readonly secret: string;
  readonly state: string;
  /** Comes back in the ID token */
  readonly nonce: string;
  /** PKCE (RFC 7636): only who began can exchange the code */
  readonly verifier: string;
  readonly challenge: string;
  /** Where to go afterwards: a path of this origin */
  readonly returnTo: string;
}

const seconds = 600;
/** Logins that one browser can have under way; more would only make its requests long. */
const most = 8;
const prefix = "login_";
const path = "/auth";
const cookieOf = (state: string) => prefix + state.slice(0, 8);

export const newAttempt = (provider: string, returnTo: string): Attempt =>
  attemptOf(randomBytes(32).toString("base64url"), provider, returnTo);

/** Hands an attempt to the browser. Each has a cookie of its own, so that several tabs can be at it. */
export function rememberAttempt(c: Context<ServerEnv>, attempt: Attempt, secure: boolean): void {
  const { secret, state, returnTo } = attempt;
  const open = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
  const tooMany = open.slice(0, Math.max(0, open.length + 1 - most)); // the oldest (RFC 6265 section 5.4)
  for (const name of tooMany) deleteCookie(c, name, { path, secure });
  const value = `${secret}.${Buffer.from(returnTo).toString("base64url")}`;
  setCookie(c, cookieOf(state), value, { path, secure, httpOnly: true, sameSite: "Lax", maxAge: seconds });
}

/** The attempt that a callback's `state` belongs to; null where this browser has not begun it with this provider. */
export function findAttempt(c: Context<ServerEnv>, provider: string): Attempt | null {
  const state = c.req.query("state") ?? "";
  const [secret, returnTo = ""] = (getCookie(c)[cookieOf(state)] ?? "").split(".");
  if (!secret) return null;
  const attempt = attemptOf(secret, provider, localPath(Buffer.from(returnTo, "base64url").toString()));
  return attempt.state === state ? attempt : null;
}

/** An attempt that has led somewhere cannot be used again. */
export function forgetAttempt(c: Context<ServerEnv>, { state }: Attempt, secure: boolean): void {
  deleteCookie(c, cookieOf(state), { path, secure });
}

function attemptOf(secret: string, provider: string, returnTo: string): Attempt {
  const part = (name: string) =>
    createHmac("sha256", secret).update(`${name} ${provider}`).digest("base64url");
  const verifier = part("verifier");
  return {
    secret,
    state: part("state"),
    nonce: part("nonce"),
    verifier,
    challenge: createHash("sha256").update(verifier).digest("base64url"),
    returnTo,
  };
}
