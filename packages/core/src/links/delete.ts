import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import type { Queries } from "../db/queries.ts";
import type { Deps } from "../deps.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { findLink, refuseDisabled } from "./find.ts";

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
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { id } }) => {
    const link = await findLink(ctx, id);
    refuseDisabled("link", link);
    if (!(await removeLink(ctx.deps, id, ctx.account.id))) throw notFound("Link");
    ctx.deps.storage.release(ctx.account.id, 1);
    ctx.deps.invalidate(link);
    return { id, deleted: true as const };
  });

/** Deletes a link and keeps what its clicks refer to. With `accountId`, only that account's, and none that is disabled. */
export async function removeLink(
  deps: Pick<Deps, "pool" | "clock">,
  id: string,
  accountId?: string,
): Promise<boolean> {
  return (await removeLinks(deps, deps.pool, [id], accountId)).length === 1;
}

/** The same for many links; returns those that were deleted. */
export async function removeLinks(
  { clock }: Pick<Deps, "clock">,
  database: Queries,
  ids: readonly string[],
  accountId?: string,
): Promise<{ id: string; domain_id: string; slug: string }[]> {
  const { rows } = await database.query<{ id: string; domain_id: string; slug: string }>(
    // Rows are locked in the order of their ids, as the drain does.
    `with locked as (
       select id from links where id = any($1::uuid[])
       and ($2::uuid is null or (account_id = $2 and disabled_at is null)) order by id for update
     ), deleted as (
       delete from links where id in (select id from locked) returning *
     )
     insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at)
     select id, account_id, domain_id, slug, destination, title, $3 from deleted
     returning id, domain_id, slug`,
    [ids, accountId ?? null, clock()],
  );
  return rows;
}
