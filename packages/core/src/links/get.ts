import { accountProcedure } from "./call.ts";
import { byId } from "../kernel/validation/ids.ts";
import { findLink } from "./find.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { etagOf } from "./revision.ts";

export const getLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}",
      tags: ["Links"],
      summary: "Get a link",
      successDescription: "The link",
      hasETag: true,
      errors: [404],
    },
  })
  .input(byId)
  .output(linkSchema)
  .query(async ({ ctx, input }) => {
    const link = await toLink(ctx, await findLink(ctx, input.id));
    ctx.reply.etag = etagOf(link);
    return link;
  });
