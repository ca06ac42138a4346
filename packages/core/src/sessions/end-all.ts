import * as z from "zod";
import { accountProcedure } from "../rpc/procedure.ts";
import { SessionEntity } from "./session.entity.ts";

/** Signs out everywhere, here too; API keys go on. */
export const endAllSessions = accountProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/v1/me/sessions",
      tags: ["Account"],
      summary: "End all sessions",
      description: "Signs out everywhere, the calling session included. API keys go on.",
      successDescription: "All sessions have ended",
    },
  })
  .output(z.object({ ended: z.int().min(0).describe("How many sessions were ended") }))
  .mutation(async ({ ctx }) => ({
    ended: await ctx.em.nativeDelete(SessionEntity, { account_id: ctx.account.id }),
  }));
