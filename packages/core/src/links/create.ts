import { type Call, publicProcedure } from "./call.ts";
import * as z from "zod";
import { unauthenticated } from "../kernel/errors.ts";
import { dayMs } from "../kernel/time.ts";
import { timestamp } from "../kernel/validation/strings.ts";
import { creation } from "../rpc/procedure.ts";
import { acceptOne, requireFields } from "./accept.ts";
import { insertLink } from "./insert.ts";
import { linkSchema, type NewLink, newLinkFields } from "./link.schema.ts";

const anonymousMeta = z
  .object({ deleted_unless_clicked_by: timestamp })
  .describe("For links without an account: when the link is deleted, unless it is clicked before");

/** Shortens a URL. A link that is created without a credential has no account and cannot be managed. */
export const createLink = publicProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links",
      tags: ["Links"],
      summary: "Create a short link",
      example: { url: "https://example.com/a/long/address", title: "An example" },
      successDescription: "The new link",
      successStatus: 201,
      successMeta: anonymousMeta,
      errors: [409, 429],
    },
  })
  .use(creation)
  .use(async ({ ctx, getRawInput, next }) => {
    requireFields(ctx, await getRawInput());
    return next();
  })
  .input(newLinkFields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    assertAllowedForCaller(ctx, input);
    const link = await insertLink(ctx, await acceptOne(ctx, input));
    if (ctx.actor.kind === "anonymous") {
      const end = new Date(Date.parse(link.created_at) + ctx.deps.anonymousLinksDays * dayMs);
      ctx.reply.meta = { deleted_unless_clicked_by: end.toISOString() };
    }
    return link;
  });

/** Throws 401 for fields that only an account can have. */
function assertAllowedForCaller({ actor, deps }: Call, { slug, tags, notes, qr, is_active }: NewLink): void {
  if (actor.kind !== "anonymous") return;
  if (slug !== undefined && !deps.policy.anonymousSlugs) throw unauthenticated("slug: ");
  if (tags != null && tags.length > 0) throw unauthenticated("tags: ");
  if (notes != null) throw unauthenticated("notes: ");
  if (qr != null) throw unauthenticated("qr: ");
  if (is_active !== undefined && !is_active) throw unauthenticated("is_active: ");
}
