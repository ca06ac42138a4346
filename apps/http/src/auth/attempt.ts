import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { localPath } from "./return-to.ts";

/** A login in progress. The server keeps no state: it is all in a cookie of the browser that started it. */
export interface Attempt {
  /** The other values are derived from it; known to the browser and this service only */
  readonly secret: string;
  readonly state: string;
  /** Returned in the ID token */
  readonly nonce: string;
  /** PKCE (RFC 7636): only the client that started the login can exchange the code */
  readonly verifier: string;
  readonly challenge: string;
  /** Where to go afterwards: a path of this origin */
  readonly returnTo: string;
}

const maxAgeSeconds = 600;
/** Logins that one browser can have in progress; more would make its requests too long. */
const maxAttempts = 8;
const prefix = "login_";
const path = "/auth";
const cookieOf = (state: string) => prefix + state.slice(0, 8);

export const newAttempt = (provider: string, returnTo: string): Attempt =>
  attemptOf(randomBytes(32).toString("base64url"), provider, returnTo);

/** Stores an attempt in the browser. Each has its own cookie, so several tabs can sign in at once. */
export function rememberAttempt(c: Context<ServerEnv>, attempt: Attempt, secure: boolean): void {
  const { secret, state, returnTo } = attempt;
  const open = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
  const excess = open.slice(0, Math.max(0, open.length + 1 - maxAttempts)); // the oldest (RFC 6265 section 5.4)
  for (const name of excess) deleteCookie(c, name, { path, secure });
  const value = `${secret}.${Buffer.from(returnTo).toString("base64url")}`;
  setCookie(c, cookieOf(state), value, {
    path,
    secure,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: maxAgeSeconds,
  });
}

/** Returns the attempt that a callback's `state` belongs to, or null if this browser did not start it with this provider. */
export function findAttempt(c: Context<ServerEnv>, provider: string): Attempt | null {
  const state = c.req.query("state") ?? "";
  const [secret, returnTo = ""] = (getCookie(c)[cookieOf(state)] ?? "").split(".");
  if (!secret) return null;
  const attempt = attemptOf(secret, provider, localPath(Buffer.from(returnTo, "base64url").toString()));
  return attempt.state === state ? attempt : null;
}

/** Deletes a completed attempt, so it cannot be used again. */
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
