import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { deedOf, recordActivity } from "../activity/record.ts";
import { revokeAllKeys } from "../api-keys/revoke.ts";
import { endConnections } from "../oauth/end.ts";
import { requireScope } from "../../kernel/access.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { SessionEntity } from "./session.entity.ts";

/** Signs out everywhere, or everywhere else; on request, revokes all API keys and ends all connections too. */
export const endAllSessions = accountProcedure
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
    await recordActivity(deps, deedOf(ctx), "sessions_ended", also.join(" ") || null);
    return { ended, keys_revoked, connections_ended };
  });
