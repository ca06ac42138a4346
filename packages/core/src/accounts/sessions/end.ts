import { accountProcedure } from "../call.ts";
import { deedOf, recordActivity } from "../activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { SessionEntity } from "./session.entity.ts";

/** Ends one session; the next request with it is refused. */
export const endSession = accountProcedure
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
    await recordActivity(ctx.deps, deedOf(ctx), "session_ended", id);
    return { id, deleted: true as const };
  });
