import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { isId } from "../validation/strings.ts";
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
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { id } }) => {
    const own = { id, account_id: ctx.account.id };
    if (!isId(id) || (await ctx.em.nativeDelete(SessionEntity, own)) === 0) throw notFound("Session");
    return { id, deleted: true as const };
  });
