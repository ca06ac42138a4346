import { parse, serialize } from "hono/utils/cookie";
import { cookiePathOf } from "./request-target.ts";
import type { Visit } from "./visit.ts";

/** The value of a cookie that the browser sent. */
export function cookieOf({ header }: Visit, name: string): string | undefined {
  const sent = header("cookie");
  return sent === undefined ? undefined : parse(sent, name)[name];
}

/** Stores a cookie in the browser, for this short URL only; none if the path cannot be that of a cookie. */
export function setCookie(
  { target, cookies }: Visit,
  name: string,
  value: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): void {
  const path = cookiePathOf(target.path);
  if (path === null) return;
  cookies.push(serialize(name, value, { path, maxAge: seconds, httpOnly: true, sameSite: "Lax", secure }));
}
