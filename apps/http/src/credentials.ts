import {
  type Actor,
  AppError,
  type Core,
  requireFeature,
  invalidKey,
  invalidToken,
  isAccessToken,
  type Source,
} from "@terse/core";
import { bearerToken, rateLimitKey, type ServerEnv } from "@terse/server";
import type { Context } from "hono";

/**
 * Identifies the caller: by the API key or access token of the Authorization header (RFC 6750), else by the `session` cookie, else as
 * anonymous. An invalid credential is a 401 even if the operation needs none.
 */
export async function identify(c: Context<ServerEnv>, core: Core, baseOrigin: string): Promise<Actor> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) {
    const key = bearerToken(authorization);
    if (key !== null && isAccessToken(key)) return logged(c, await byToken(c, core, key, baseOrigin));
    const actor = key === null ? null : await core.credentials.byKey(key, sourceOf(c));
    if (!actor) throw invalidKey();
    return logged(c, actor);
  }
  const token = sessionToken(c);
  if (token) {
    const actor = await core.credentials.bySession(token, sourceOf(c));
    if (!actor) throw new AppError("UNAUTHORIZED", "The session has ended: sign in again");
    rejectForeignOrigin(c, baseOrigin);
    return logged(c, actor);
  }
  return { kind: "anonymous", address: rateLimitKey(c.var.client.address) };
}

/** The caller with an access token, which must be for the API, and works on the plans that API keys work on. */
async function byToken(c: Context<ServerEnv>, core: Core, token: string, baseOrigin: string): Promise<Actor> {
  const actor = await core.credentials.byToken(token, baseOrigin, sourceOf(c));
  if (actor?.kind !== "account") throw invalidToken();
  requireFeature(core.plans, actor.account.plan, "api_keys");
  return actor;
}

/** Names the workspace of what browsers load without headers, such as images, downloads and streams of events. */
export const workspaceQuery = "terse-workspace";

/** Where a request comes from, and for which workspace. */
export const sourceOf = (c: Context<ServerEnv>): Source => ({
  address: c.var.client.address,
  user_agent: c.req.header("user-agent"),
  workspace:
    c.req.header("terse-workspace") ?? (c.req.method === "GET" ? c.req.query(workspaceQuery) : undefined),
});

/** Names the account in the request's log line. */
function logged(c: Context<ServerEnv>, actor: Actor): Actor {
  if (actor.kind === "account") c.set("account", actor.account.id);
  return actor;
}

/**
 * Returns the raw `session` cookie. Tokens need no decoding, so a malformed one is rejected instead of ignored. Two of them
 * are refused (401): another host of the same site can set one, and nothing shows which is ours (RFC 6265 section 8.6).
 */
export function sessionToken(c: Context): string | undefined {
  const [token, ...more] = sessionTokens(c);
  if (more.length === 0) return token;
  throw new AppError(
    "UNAUTHORIZED",
    "There are two cookies named session, and another site set one: delete this site's cookies and sign in again",
  );
}

/** Browsers send one, or two if someone planted another; each costs a statement where sessions are ended. */
const maxTokens = 4;

/** Returns the first few raw `session` cookies of a request. */
export function sessionTokens(c: Context): string[] {
  const cookies = (c.req.header("cookie") ?? "").matchAll(/(?:^|;)[ \t]*session=([^;]*)/g);
  return Array.from(cookies, ([, token = ""]) => token.trim()).slice(0, maxTokens);
}

/**
 * Protects against cross-site request forgery: browsers send cookies with requests that other sites trigger, but also
 * Sec-Fetch-Site (Fetch Metadata) or Origin (RFC 6454). A client that sends neither is not a browser.
 */
export function rejectForeignOrigin(c: Context, baseOrigin: string): void {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const isOwn =
    site === undefined
      ? origin === undefined || origin === baseOrigin
      : site === "same-origin" || site === "none";
  if (!isOwn) throw new AppError("FORBIDDEN", `Requests signed in by cookie must come from ${baseOrigin}`);
}
