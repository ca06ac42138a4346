import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
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
  { pool, clock }: Pick<Deps, "pool" | "clock">,
  id: string,
  accountId?: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "delete-link",
    text: `with deleted as (
             delete from links where id = $1 and ($2::uuid is null or (account_id = $2 and disabled_at is null))
             returning *
           )
           insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at)
           select id, account_id, domain_id, slug, destination, title, $3 from deleted`,
    values: [id, accountId ?? null, clock()],
  });
  return rowCount === 1;
}
