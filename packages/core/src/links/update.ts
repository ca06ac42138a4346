import * as z from "zod";
import { refuseLoops } from "../domains/index.ts";
import { changesOf } from "../fields.ts";
import { accountProcedure } from "../procedure.ts";
import { explainRename } from "./claim.ts";
import { findLink } from "./find.ts";
import { LinkEntity } from "./link.entity.ts";
import { optionInputs, slugInput, titleInput, urlInput } from "./link.input.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { columnsOf, demandOptions, destinationsOf } from "./options.ts";

const shape = {
  id: z.string(),
  url: urlInput.optional(),
  slug: slugInput.optional(),
  title: titleInput.nullish().describe("null clears it"),
  is_active: z
    .union([z.literal(0), z.literal(1), z.boolean()], "must be 0 or 1")
    .optional()
    .describe("0 makes the link answer 410"),
  ...optionInputs,
};
const fields = changesOf(shape, linkSchema, { destination: "url" });

/** Changes the fields that are given, all of them or none. */
export const updateLink = accountProcedure
  .meta({
    openapi: {
      method: "PUT",
      path: "/v1/links/{id}",
      tags: ["Links"],
      summary: "Update a link",
      description:
        "Only the fields given change; null clears title, password, expires_at, geo_rules and ab_test. A link can be sent back as it was read: `destination` is taken for `url` where that is missing, and what cannot be changed is ignored.",
      successDescription: "The link as it is now",
      errors: [404, 409],
    },
  })
  .input(fields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, slug, title, url, is_active } = input;
    const link = await findLink(ctx, id);
    demandOptions(ctx, input);
    await refuseLoops(ctx.deps, destinationsOf(input));
    const changes = {
      ...(url !== undefined && { destination: url }),
      ...(slug !== undefined && { slug }),
      ...(title !== undefined && { title }),
      ...(is_active !== undefined && { is_active: Boolean(is_active) }),
      ...(await columnsOf(input)),
    };
    if (Object.keys(changes).length === 0) return toLink(ctx, link);
    try {
      await ctx.em.nativeUpdate(LinkEntity, { id }, { ...changes, updated_at: ctx.deps.clock() });
    } catch (error) {
      throw explainRename(error, slug);
    }
    ctx.deps.announce(link);
    ctx.em.clear();
    return toLink(ctx, await findLink(ctx, id));
  });
