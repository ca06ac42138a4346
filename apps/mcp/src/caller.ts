import {
  type Actor,
  AppError,
  type Core,
  requireFeature,
  invalidKey,
  invalidToken,
  isAccessToken,
} from "@terse/core";
import { bearerToken, type Logger, type ServerEnv } from "@terse/server";
import type { Context } from "hono";

/** Whom an MCP server acts for, and where it logs the calls. */
export interface Caller {
  core: Core;
  actor: Actor;
  logger: Logger;
}

/**
 * Returns the account behind the request's API key or access token; a token must be for `resource`. Looked up for every
 * request, so a revoked key, an ended connection or a changed plan takes effect with the next message of a conversation. 401
 * without a valid credential, 403 below the Pro plan.
 */
export async function identify(
  c: Context<ServerEnv>,
  core: Core,
  resource: string,
): Promise<Actor & { kind: "account" }> {
  const authorization = c.req.header("authorization");
  if (authorization === undefined) {
    throw new AppError(
      "UNAUTHORIZED",
      "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
    );
  }
  const source = {
    address: c.var.client.address,
    user_agent: c.req.header("user-agent"),
    workspace: c.req.header("terse-workspace"),
  };
  const token = bearerToken(authorization);
  const isToken = token !== null && isAccessToken(token);
  const actor =
    token === null
      ? null
      : isToken
        ? await core.credentials.byToken(token, resource, source)
        : await core.credentials.byKey(token, source);

  if (actor?.kind !== "account") throw isToken ? invalidToken() : invalidKey();
  c.set("account", actor.account.id);
  requireFeature(core.plans, actor.account.plan, "mcp");
  return actor;
}
