import { type Actor, AppError, type Core, demand, invalidKey } from "@terse/core";
import { bearerToken, type Logger, type ServerEnv } from "@terse/server";
import type { Context } from "hono";

/** Whom an MCP server acts for, and where it logs the calls. */
export interface Caller {
  core: Core;
  actor: Actor;
  logger: Logger;
}

/**
 * Returns the account behind the request's API key. Looked up for every request, so a revoked key or a changed plan
 * takes effect with the next message of a conversation. 401 without a valid key, 403 below the Pro plan.
 */
export async function identify(c: Context<ServerEnv>, core: Core): Promise<Actor & { kind: "account" }> {
  const authorization = c.req.header("authorization");
  if (authorization === undefined) {
    throw new AppError("UNAUTHORIZED", "Authentication required: send Authorization: Bearer <API_KEY>");
  }
  const key = bearerToken(authorization);
  const actor =
    key === null
      ? null
      : await core.credentials.byKey(key, {
          address: c.var.client.address,
          user_agent: c.req.header("user-agent"),
        });

  if (actor?.kind !== "account") throw invalidKey();
  c.set("account", actor.account.id);
  demand(core.plans, actor.account.plan, "mcp");
  return actor;
}
