import { type Actor, AppError, type Core, demand, invalidKey } from "@terse/core";
import { bearerToken } from "@terse/server";
import type { Context } from "hono";

/**
 * The account behind the request's API key, looked up for every request: a key that is revoked, or a plan that
 * changes, in the middle of a conversation counts from the next message on. 401 without a valid key, 403 below Pro.
 */
export async function identify(c: Context, core: Core): Promise<Actor & { kind: "account" }> {
  const authorization = c.req.header("authorization");
  if (authorization === undefined) {
    throw new AppError("UNAUTHORIZED", "Authentication required: send Authorization: Bearer <API_KEY>");
  }
  const key = bearerToken(authorization);
  const actor = key === null ? null : await core.credentials.byKey(key);
  if (actor?.kind !== "account") throw invalidKey();
  demand(core.plans, actor.account.plan, "mcp");
  return actor;
}
