import * as z from "zod";
import { deedOf, recordActivity } from "../activity/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { SessionEntity } from "./session.entity.ts";

/** Signs out everywhere, including this session; API keys stay valid. */
export const endAllSessions = accountProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/v1/me/sessions",
      tags: ["Account"],
      summary: "End all sessions",
      description: "Signs out everywhere, including the calling session. API keys stay valid.",
      successDescription: "All sessions were ended",
    },
  })
  .output(z.object({ ended: z.int().min(0).describe("Number of sessions that were ended") }))
  .mutation(async ({ ctx }) => {
    const ended = await ctx.em.nativeDelete(SessionEntity, { account_id: ctx.account.id });
    await recordActivity(ctx.deps, deedOf(ctx), "sessions_ended");
    return { ended };
  });
