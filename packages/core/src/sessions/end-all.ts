import * as z from "zod";
import { revokeAllKeys } from "../api-keys/index.ts";
import { demandScope } from "../kernel/scopes.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { fieldsOf } from "../validation/inputs.ts";
import { SessionEntity } from "./session.entity.ts";

/** Signs out everywhere, including this session; on request, revokes all API keys too. */
export const endAllSessions = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/me/sessions",
      tags: ["Account"],
      summary: "End all sessions",
      description:
        "Signs out everywhere, including the calling session. API keys stay valid unless `keys` is true.",
      successDescription: "All sessions were ended",
    },
  })
  .input(
    fieldsOf({
      keys: z.boolean().default(false).describe("Also revokes all API keys, including the calling one"),
    }).optional(),
  )
  .output(
    z.object({
      ended: z.int().min(0).describe("Number of sessions that were ended"),
      keys_revoked: z.int().min(0).describe("Number of API keys that were revoked"),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { actor, deps, em, account } = ctx;
    if (input?.keys) demandScope(actor, "keys");
    const keys_revoked = input?.keys ? await revokeAllKeys(deps, account.id) : 0;
    return { ended: await em.nativeDelete(SessionEntity, { account_id: account.id }), keys_revoked };
  });
