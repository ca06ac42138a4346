import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { findLink } from "./find.ts";

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
    const { rowCount } = await ctx.deps.pool.query({
      name: "delete-link",
      text: `with deleted as (delete from links where id = $1 and account_id = $2 returning *)
             insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at)
             select id, account_id, domain_id, slug, destination, title, $3 from deleted`,
      values: [id, ctx.account.id, ctx.deps.clock()],
    });
    if (rowCount === 0) throw notFound("Link");
    ctx.deps.invalidate(link);
    return { id, deleted: true as const };
  });
