import * as z from "zod";
import { requireScope } from "../../kernel/access.ts";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { ApiKeyEntity } from "../api-keys/api-key.row.ts";
import { personalProcedure } from "../call.ts";
import { ConnectionEntity } from "../oauth/connection.row.ts";
import { idleSince, SessionEntity, sessions } from "./session.row.ts";
import { sessionSchema } from "./session.schema.ts";

const listSessions = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/sessions",
    tag: "Account",
    summary: "List sessions",
    successDescription: "The active sessions of the account, newest first",
  })
  .input(noFields)
  .output(z.array(sessionSchema))
  .query(async ({ ctx }) => {
    const now = ctx.deps.clock();
    const active = { expires_at: { $gt: now }, last_seen_at: { $gt: idleSince(now) } };
    const own = ctx.actor.kind === "account" ? ctx.actor.session_id : undefined;
    const listed = await sessions.list(ctx, active);
    return listed.map((session) => ({ ...session, current: session.id === own }));
  });

/** Ends one session; the next request with it is refused. */
const endSession = personalProcedure
  .meta({
    scope: "account",
    route: "DELETE /v1/me/sessions/{id}",
    tag: "Account",
    summary: "End a session",
    successDescription: "The session was ended",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    await sessions.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "session_ended", id);
    return { id, deleted: true as const };
  });

/** Signs out everywhere, or everywhere else; on request, revokes all API keys and ends all connections too. */
const endAllSessions = personalProcedure
  .meta({
    scope: "account",
    route: "DELETE /v1/me/sessions",
    tag: "Account",
    summary: "End all sessions",
    description:
      "Signs out everywhere, including the calling session unless `others` is true. API keys stay valid unless `keys` is true, and connected programs unless `connections` is true.",
    successDescription: "All sessions were ended",
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
    const { actor, deps, em } = ctx;
    if (input?.keys) requireScope(actor, "keys");
    const keys_revoked = input?.keys ? await em.nativeDelete(ApiKeyEntity, {}) : 0;
    const connections_ended = input?.connections ? await em.nativeDelete(ConnectionEntity, {}) : 0;
    const own = (input?.others && actor.kind === "account" && actor.session_id) || null;
    const ended = await em.nativeDelete(SessionEntity, own === null ? {} : { id: { $ne: own } });
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
