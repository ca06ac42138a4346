import { type Actor, AppError, type Core, invalidKey } from "@terse/core";
import { bearerToken, rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context } from "hono";

/**
 * Who is calling: the bearer key of the Authorization header (RFC 6750), else the `session` cookie, else nobody. A
 * credential that is presented but not valid is refused (401) even where none is needed.
 */
export async function identify(c: Context<ServerEnv>, core: Core, baseOrigin: string): Promise<Actor> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) {
    const key = bearerToken(authorization);
    const actor = key === null ? null : await core.credentials.byKey(key);
    if (!actor) throw invalidKey();
    return actor;
  }
  const token = sessionToken(c);
  if (token) {
    const actor = await core.credentials.bySession(token);
    if (!actor) throw new AppError("UNAUTHORIZED", "The session has ended: sign in again");
    refuseForeignOrigin(c, baseOrigin);
    return actor;
  }
  return { kind: "anonymous", address: rateLimitKey(c.var.client.address) };
}

/** The `session` cookie as it was sent: a token needs no decoding, so what would need it is refused, not dropped. */
export function sessionToken(c: Context): string | undefined {
  return /(?:^|;)[ \t]*session=([^;]*)/.exec(c.req.header("cookie") ?? "")?.[1]?.trim();
}

/**
 * A browser sends cookies along with requests that other sites make it send. It also says where they come from, in
 * Sec-Fetch-Site (Fetch Metadata) or Origin (RFC 6454); a client that sends neither is no browser.
 */
export function refuseForeignOrigin(c: Context, baseOrigin: string): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const own =
    site === undefined
      ? origin === undefined || origin === baseOrigin
      : site === "same-origin" || site === "none";
  if (!own) throw new AppError("FORBIDDEN", `Requests signed in by cookie must come from ${baseOrigin}`);
}
