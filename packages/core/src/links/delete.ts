import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { findLink } from "./find.ts";

/**
 * Removes a link. Its slug is free at once, and whoever takes it next inherits nothing; what was counted stays in the
 * account's totals, under what the link was when it was deleted.
 */
export const deleteLink = accountProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/v1/links/{id}",
      tags: ["Links"],
      summary: "Delete a link",
      successDescription: "The link is gone and its slug free",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { id } }) => {
    const link = await findLink(ctx, id);
    const { rowCount } = await ctx.deps.pool.query({
      name: "delete-link",
      text: `with gone as (delete from links where id = $1 and account_id = $2 returning *)
             insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at)
             select id, account_id, domain_id, slug, destination, title, $3 from gone`,
      values: [id, ctx.account.id, ctx.deps.clock()],
    });
    if (rowCount === 0) throw notFound("Link");
    ctx.deps.invalidate(link);
    return { id, deleted: true as const };
  });
