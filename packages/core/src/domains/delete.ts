import { accountProcedure } from "./call.ts";
import { actorOf, recordActivity } from "../accounts/activity/record.ts";
import { byId, deletedSchema } from "../kernel/validation/ids.ts";
import { DomainEntity } from "./domain.entity.ts";
import { noSettings } from "./settings.ts";
import { domainNotFound, findDomain } from "./find.ts";

/**
 * Deletes a domain: nothing is served under its name any more. The row remains, because links refer to it: they stay in
 * the account with their clicks, and are served again if the account verifies the name again.
 */
export const deleteDomain = accountProcedure
  .meta({
    scope: "domains",
    openapi: {
      method: "DELETE",
      path: "/v1/domains/{id}",
      tags: ["Domains"],
      summary: "Delete a custom domain",
      description:
        "Its links are no longer served, but stay in the account with their clicks. If the account adds and verifies the name again, they are served again.",
      successDescription: "The domain was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { domain } = await findDomain(ctx, ctx.account.id, id);
    const gone = await ctx.em.nativeUpdate(
      DomainEntity,
      { id, account_id: ctx.account.id, deleted_at: null },
      // Only a verified name is reserved; as pending, the row no longer reserves it.
      {
        deleted_at: ctx.deps.clock(),
        status: "pending",
        verified_at: null,
        broken_since: null,
        ...noSettings,
      },
    );
    if (gone === 0) throw domainNotFound();
    await recordActivity(ctx.deps, actorOf(ctx), "domain_deleted", domain);
    return { id, deleted: true as const };
  });
