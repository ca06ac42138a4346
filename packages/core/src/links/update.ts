import * as z from "zod";
import { addedTo, refuseLoops, refuseOwnHost, whereNoLoop } from "../domains/index.ts";
import { changesOf } from "../validation/inputs.ts";
import { accountProcedure, type Call } from "../rpc/procedure.ts";
import { slugUpdateError } from "./unique-slug.ts";
import { findLink, refuseDisabled } from "./find.ts";
import { LinkEntity } from "./link.entity.ts";
import { isActiveInput, optionInputs, urlInput } from "../redirects/index.ts";
import { refuseBlocked } from "../screening/index.ts";
import { slugInput, titleInput } from "./link.input.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { columnsOf, demandOptions, destinationsOf, storedDestinationsOf } from "./options.ts";
import { bytesOf } from "./storage.ts";

/** What can be changed of many links alike. */
export const changeFields = {
  url: urlInput.optional(),
  title: titleInput.nullish().describe("null clears it"),
  is_active: isActiveInput.optional(),
  ...optionInputs,
};
const { url: urlField, ...otherFields } = changeFields;
const shape = { id: z.string(), url: urlField, slug: slugInput.optional(), ...otherFields };
const fields = changesOf(shape, linkSchema, { destination: "url" });

/** Changes the given fields, all of them or none. */
export const updateLink = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "PUT",
      path: "/v1/links/{id}",
      tags: ["Links"],
      summary: "Update a link",
      example: { title: "Another title" },
      description: `Only the given fields change; null clears ${new Intl.ListFormat("en-GB").format(["title", ...Object.keys(optionInputs)])}. A link can be sent back as it was read: \`destination\` is used if \`url\` is missing, and read-only fields are ignored.`,
      successDescription: "The updated link",
      errors: [404, 409, 429],
    },
  })
  .input(fields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, slug } = input;
    const link = await findLink(ctx, id);
    refuseDisabled("link", link);
    demandOptions(ctx, input, link);
    const destinations = addedTo(storedDestinationsOf(link), destinationsOf(input));
    refuseOwnHost(ctx.deps, destinations);
    await refuseBlocked(ctx.deps.screening, destinations);
    const changes = { ...(slug !== undefined && { slug }), ...(await changesIn(ctx, input)) };
    if (Object.keys(changes).length === 0) return toLink(ctx, link);
    const bytes = bytesOf({ ...link, ...changes }) - bytesOf(link);
    await ctx.deps.storage.take(ctx.actor, { links: 0, bytes });
    const { domain_id } = link;
    await write().catch(async (error: unknown) => {
      throw await slugUpdateError(ctx.deps, error, { id, domain_id, slug });
    });
    ctx.deps.invalidate(link);
    if (slug !== undefined) ctx.deps.invalidate({ domain_id, slug });
    return toLink(ctx, await readAgain());

    /** Writes nothing if there is a loop or the link was just deleted or disabled; tries again if that has changed. */
    async function write(): Promise<void> {
      const where = { id, disabled_at: null, ...whereNoLoop(ctx.account.id, destinations) };
      const now = ctx.deps.clock();
      if ((await ctx.em.nativeUpdate(LinkEntity, where, { ...changes, updated_at: now })) > 0) return;
      await refuseLoops(ctx.deps, ctx.account.id, destinations);
      await readAgain();
      await write();
    }

    async function readAgain() {
      ctx.em.clear();
      const found = await findLink(ctx, id);
      refuseDisabled("link", found);
      return found;
    }
  });

export type Changes = z.output<z.ZodObject<typeof changeFields>>;
export type ChangedColumns = Awaited<ReturnType<typeof changesIn>>;

/** The columns that an input changes, besides the slug. Hashes a password, for which the account may have to wait (429). */
export const changesIn = async (ctx: Call, { url, title, is_active, ...options }: Changes) => ({
  ...(url !== undefined && { destination: url }),
  ...(title !== undefined && { title }),
  ...(is_active !== undefined && { is_active: Boolean(is_active) }),
  ...(await columnsOf(ctx, options)),
});
