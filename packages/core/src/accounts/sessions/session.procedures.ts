import * as z from "zod";
import { requireScope } from "../../kernel/access.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { revokeAllKeys } from "../api-keys/api-key.row.ts";
import { accountProcedure } from "../call.ts";
import { endConnections } from "../oauth/connection.row.ts";
import { idleSince, SessionEntity } from "./session.row.ts";
import { sessionSchema } from "./session.schema.ts";

const listSessions = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me/sessions",
      tags: ["Account"],
      summary: "List sessions",
      successDescription: "The active sessions of the account, newest first",
    },
  })
  .input(noFields)
  .output(z.array(sessionSchema))
  .query(async ({ ctx }) => {
    const now = ctx.deps.clock();
    const sessions = await ctx.em.find(
      SessionEntity,
      { account_id: ctx.account.id, expires_at: { $gt: now }, last_seen_at: { $gt: idleSince(now) } },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return sessions.map(({ id, created_at, last_seen_at, expires_at }) => ({
      id,
      current: ctx.actor.kind === "account" && id === ctx.actor.session_id,
      created_at: created_at.toISOString(),
      last_seen_at: last_seen_at.toISOString(),
      expires_at: expires_at.toISOString(),
    }));
  });

/** Ends one session; the next request with it is refused. */
const endSession = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/me/sessions/{id}",
      tags: ["Account"],
      summary: "End a session",
      successDescription: "The session was ended",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const own = { id, account_id: ctx.account.id };
    if (!isId(id) || (await ctx.em.nativeDelete(SessionEntity, own)) === 0) throw notFound("Session");
    await recordActivity(ctx.deps, actorOf(ctx), "session_ended", id);
    return { id, deleted: true as const };
  });

/** Signs out everywhere, or everywhere else; on request, revokes all API keys and ends all connections too. */
const endAllSessions = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/me/sessions",
      tags: ["Account"],
      summary: "End all sessions",
      description:
        "Signs out everywhere, including the calling session unless `others` is true. API keys stay valid unless `keys` is true, and connected programs unless `connections` is true.",
      successDescription: "All sessions were ended",
    },
  })
  .input(
    fieldsOf({
      others: z.boolean().default(false).describe("Keeps the calling session"),
      connections: z
        .boolean()
        .default(false)
        .describe("Also ends the connections of all programs, including the calling one"),
      keys: z.boolean().default(false).describe("Also revokes all API keys, including the calling one"),
    }).optional(),
  )
  .output(
    z.object({
      ended: z.int().min(0).describe("Number of sessions that were ended"),
      keys_revoked: z.int().min(0).describe("Number of API keys that were revoked"),
      connections_ended: z.int().min(0).describe("Number of connections that were ended"),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { actor, deps, em, account } = ctx;
    if (input?.keys) requireScope(actor, "keys");
    const keys_revoked = input?.keys ? await revokeAllKeys(deps, account.id) : 0;
    const connections = input?.connections ? await endConnections(deps, { accountId: account.id }) : [];
    const own = (input?.others && actor.kind === "account" && actor.session_id) || null;
    const ended = await em.nativeDelete(SessionEntity, {
      account_id: account.id,
      ...(own !== null && { id: { $ne: own } }),
    });
    const connections_ended = connections.length;
    const also = [
      ...(keys_revoked > 0 ? [`and ${keys_revoked} API keys`] : []),
      ...(connections_ended > 0 ? [`and ${connections_ended} connections`] : []),
    ];
    await recordActivity(deps, actorOf(ctx), "sessions_ended", also.join(" ") || null);
    return { ended, keys_revoked, connections_ended };
  });

export const sessionsRouter = router({
  list: listSessions,
  end: endSession,
  endAll: endAllSessions,
});
