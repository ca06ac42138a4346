import type { Account, Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { sessionToken } from "../credentials.ts";

/** Signs the browser in with a new session; the one that it came with, whoever gave it that, is ended. */
export async function beginSession(c: Context<ServerEnv>, core: Core, { id }: Account, secure: boolean) {
  const old = sessionToken(c);
  const { token, expires_at } = await core.sessions.create(id);
  if (old) await core.sessions.end(old);
  setCookie(c, "session", token, {
    httpOnly: true,
    sameSite: "Lax",
    secure,
    path: "/",
    maxAge: Math.round((Date.parse(expires_at) - Date.now()) / 1000),
  });
}

/** Signs the browser out, here and in the browser; nothing happens where it was not signed in. */
export async function endSession(c: Context<ServerEnv>, core: Core, secure: boolean): Promise<void> {
  const token = sessionToken(c);
  if (token === undefined) return;
  if (token) await core.sessions.end(token);
  deleteCookie(c, "session", { path: "/", secure });
}
