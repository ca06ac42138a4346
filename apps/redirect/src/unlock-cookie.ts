import type { UnlockToken } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { targetOf } from "./hono.ts";

const name = "terse_pass";
/** What a cookie's Path may be made of (RFC 6265 section 4.1.1); browsers compare it with the path as they sent it. */
const cookiePath = /^\/[\u0021-\u003A\u003C-\u007E]+$/;

/** The pass that this browser got for an earlier right password, if any. */
export const passOf = (c: Context<ServerEnv>): string | undefined => getCookie(c, name);

/** Keeps a pass in the browser, for this one short URL. */
export function keepPass(c: Context<ServerEnv>, { value, seconds }: UnlockToken, secure: boolean): void {
  const { path } = targetOf(c.req.raw, c.env);
  if (!cookiePath.test(path)) return;
  setCookie(c, name, value, { path, maxAge: seconds, httpOnly: true, sameSite: "Lax", secure });
}
