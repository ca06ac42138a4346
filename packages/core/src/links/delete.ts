import * as z from "zod";
import { notFound } from "../errors.ts";
import { accountProcedure } from "../procedure.ts";
import { findLink } from "./find.ts";
import { LinkEntity } from "./link.entity.ts";

/** Removes a link. Its slug is free at once, and whoever takes it next inherits nothing. */
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
    if ((await ctx.em.nativeDelete(LinkEntity, { id })) === 0) throw notFound("Link");
    ctx.deps.announce(link);
    return { id, deleted: true as const };
  });
