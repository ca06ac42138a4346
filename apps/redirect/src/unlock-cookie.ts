import type { UnlockToken } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { targetOf } from "./request-target.ts";

const name = "terse_pass";
/** Valid values of a cookie's Path (RFC 6265 section 4.1.1); browsers compare it with the path as they sent it. */
const cookiePath = /^\/[\u0021-\u003A\u003C-\u007E]+$/;

/** Returns the unlock token that this browser received for the right password, if any. */
export const unlockTokenOf = (c: Context<ServerEnv>): string | undefined => getCookie(c, name);

/** Stores an unlock token in the browser, for this short URL only. */
export function setUnlockCookie(
  c: Context<ServerEnv>,
  { value, seconds }: UnlockToken,
  secure: boolean,
): void {
  const { path } = targetOf(c.req.raw, c.env);
  if (!cookiePath.test(path)) return;
  setCookie(c, name, value, { path, maxAge: seconds, httpOnly: true, sameSite: "Lax", secure });
}
