import type { Account, Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { wordsOf } from "./pages/page.ts";
import { sessionTokens, sourceOf } from "../credentials.ts";

/**
 * Signs the browser in with a new session and ends those it had, even if someone else planted one of them. True if this
 * restores an account that was being deleted.
 */
export async function beginSession(
  c: Context<ServerEnv>,
  core: Core,
  { id }: Account,
  { way, secure }: { way: string; secure: boolean },
): Promise<boolean> {
  const old = sessionTokens(c).filter(Boolean);
  const source = sourceOf(c);
  const { language } = wordsOf(c);
  const { token, expires_at, deletion_revoked } = await core.sessions.create(id, { way, source, language });
  for (const oldToken of old) await core.sessions.end(oldToken, source);
  setCookie(c, "session", token, {
    httpOnly: true,
    sameSite: "Lax",
    secure,
    path: "/",
    maxAge: Math.round((Date.parse(expires_at) - Date.now()) / 1000),
  });
  return deletion_revoked;
}

/** Ends the browser's sessions and deletes our cookie. Does nothing if the browser was not signed in. */
export async function endSession(c: Context<ServerEnv>, core: Core, secure: boolean): Promise<void> {
  const tokens = sessionTokens(c);
  if (tokens.length === 0) return;
  for (const token of tokens.filter(Boolean)) await core.sessions.end(token, sourceOf(c));
  deleteCookie(c, "session", { path: "/", secure });
}
