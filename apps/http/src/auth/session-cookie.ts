import type { Account, Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionToken, sourceOf } from "../credentials.ts";

/**
 * Signs the browser in with a new session and ends the one it had, even if somebody else planted that one. True if this
 * keeps an account that was being deleted.
 */
export async function beginSession(
  c: Context<ServerEnv>,
  core: Core,
  { id }: Account,
  { way, secure }: { way: string; secure: boolean },
): Promise<boolean> {
  const old = sessionToken(c);
  const source = sourceOf(c);
  const { token, expires_at, deletion_revoked } = await core.sessions.create(id, { way, source });
  if (old) await core.sessions.end(old, source);
  setCookie(c, "session", token, {
    httpOnly: true,
    sameSite: "Lax",
    secure,
    path: "/",
    maxAge: Math.round((Date.parse(expires_at) - Date.now()) / 1000),
  });
  return deletion_revoked;
}

/** Ends the session and deletes its cookie. Does nothing if the browser was not signed in. */
export async function endSession(c: Context<ServerEnv>, core: Core, secure: boolean): Promise<void> {
  const token = sessionToken(c);
  if (token === undefined) return;
  if (token) await core.sessions.end(token, sourceOf(c));
  deleteCookie(c, "session", { path: "/", secure });
}
