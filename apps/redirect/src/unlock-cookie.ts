import type { UnlockToken } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { cookiePathOf } from "./request-target.ts";

const name = "terse_pass";

/** Returns the unlock token that this browser received for the right password, if any. */
export const unlockTokenOf = (c: Context<ServerEnv>): string | undefined => getCookie(c, name);

/** Stores an unlock token in the browser, for this short URL only. */
export function setUnlockCookie(
  c: Context<ServerEnv>,
  { value, seconds }: UnlockToken,
  secure: boolean,
): void {
  const path = cookiePathOf(c.req.raw, c.env);
  if (path === null) return;
  setCookie(c, name, value, { path, maxAge: seconds, httpOnly: true, sameSite: "Lax", secure });
}
