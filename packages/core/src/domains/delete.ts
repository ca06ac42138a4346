import * as z from "zod";
import { accountProcedure } from "../rpc/procedure.ts";
import { isId } from "../validation/strings.ts";
import { DomainEntity } from "./domain.entity.ts";
import { domainNotFound } from "./find.ts";

/**
 * Takes a domain away: from now on nothing is served under its name. The row stays, out of sight, because links refer
 * to it: they stay in the account with their clicks, and are served again should the account prove the name anew.
 */
export const deleteDomain = accountProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/v1/domains/{id}",
      tags: ["Domains"],
      summary: "Delete a custom domain",
      description:
        "Its links are served no more, but stay in the account with their clicks. Whoever verifies the name next starts without them; the same account has them back.",
      successDescription: "The domain is gone",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { id } }) => {
    const gone = isId(id)
      ? await ctx.em.nativeUpdate(
          DomainEntity,
          { id, account_id: ctx.account.id, deleted_at: null },
          // Only a verified name is held: with this everything that asks for one passes the row over.
          { deleted_at: ctx.deps.clock(), status: "pending", verified_at: null, broken_since: null },
        )
      : 0;
    if (gone === 0) throw domainNotFound();
    return { id, deleted: true as const };
  });
