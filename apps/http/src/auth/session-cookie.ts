import type { Account, Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionTokens } from "../credentials.ts";

/** Signs the browser in with a new session and ends those it had, even if somebody else planted one of them. */
export async function beginSession(c: Context<ServerEnv>, core: Core, { id }: Account, secure: boolean) {
  const old = sessionTokens(c).filter(Boolean);
  const { token, expires_at } = await core.sessions.create(id);
  for (const oldToken of old) await core.sessions.end(oldToken);
  setCookie(c, "session", token, {
    httpOnly: true,
    sameSite: "Lax",
    secure,
    path: "/",
    maxAge: Math.round((Date.parse(expires_at) - Date.now()) / 1000),
  });
}

/** Ends the browser's sessions and deletes our cookie. Does nothing if the browser was not signed in. */
export async function endSession(c: Context<ServerEnv>, core: Core, secure: boolean): Promise<void> {
  const tokens = sessionTokens(c);
  if (tokens.length === 0) return;
  for (const token of tokens.filter(Boolean)) await core.sessions.end(token);
  deleteCookie(c, "session", { path: "/", secure });
}
