import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { idleSince } from "./lifetime.ts";
import { SessionEntity } from "./session.entity.ts";
import { sessionSchema } from "./session.schema.ts";

/** Lists the sessions of the account, newest first. */
export const listSessions = accountProcedure
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
