import { accountProcedure } from "./call.ts";
import type { Pool } from "pg";
import { concurrentChange } from "../kernel/errors.ts";
import { byId, deletedSchema } from "../kernel/validation/ids.ts";
import { findLink, refuseDisabled } from "./find.ts";
import { type Change, changeBy, tell, toldOf } from "../history/change.ts";
import { toLink } from "./link.view.ts";
import { changedSince, demandRevision, entityTagsIn } from "./revision.ts";

/**
 * Deletes a link. Its slug is free at once, and the next link with that slug inherits nothing. Its clicks stay in the
 * account's totals, under the link's last slug, destination and title.
 */
export const deleteLink = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "DELETE",
      path: "/v1/links/{id}",
      tags: ["Links"],
      summary: "Delete a link",
      successDescription: "The link is deleted and its slug is free",
      hasETag: true,
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const link = await findLink(ctx, id);
    refuseDisabled("link", link);
    const ifMatch = entityTagsIn(ctx.ifMatch);
    if (ifMatch !== undefined) demandRevision(ifMatch, await toLink(ctx, link));
    const unchangedSince = ifMatch === undefined ? undefined : link.updated_at;
    const deleted = await removeLinks(ctx.deps.pool, changeBy(ctx), [id], ctx.account.id, unchangedSince);
    if (deleted.length === 0) {
      ctx.em.clear();
      refuseDisabled("link", await findLink(ctx, id));
      throw ifMatch === undefined ? concurrentChange() : changedSince();
    }
    ctx.deps.storage.release(ctx.account.id, 1);
    ctx.deps.invalidate(link);
    return { id, deleted: true as const };
  });

/**
 * Deletes links and keeps what their clicks refer to; returns those that were deleted. With `accountId`, only that account's,
 * and none that is disabled; with `unchangedSince`, none that was changed later.
 */
export async function removeLinks(
  database: Pick<Pool, "query">,
  change: Change,
  ids: readonly string[],
  accountId?: string,
  unchangedSince?: Date,
): Promise<{ id: string; domain_id: string; slug: string }[]> {
  const { rows } = await database.query<{ id: string; domain_id: string; slug: string }>({
    name: "delete-links",
    // Rows are locked in the order of their ids, as the drain does.
    text: `with locked as (
             select id from links where id = any($1::uuid[])
             and ($2::uuid is null or (account_id = $2 and disabled_at is null))
             and ($5::timestamptz is null or date_trunc('milliseconds', updated_at) = $5) order by id for update
           ), deleted as (
             delete from links where id in (select id from locked) returning *
           )
           insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at, created_at, created_by)
           select id, account_id, domain_id, slug, destination, title, $3, created_at, created_by
           from deleted, (select ${tell("$4")}) told
           returning id, domain_id, slug`,
    values: [ids, accountId ?? null, change.at, toldOf(change), unchangedSince ?? null],
  });
  return rows;
}
