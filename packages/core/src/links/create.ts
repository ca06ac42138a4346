import * as z from "zod";
import { performOnce } from "../idempotency/index.ts";
import { creation, publicProcedure } from "../rpc/procedure.ts";
import { refuseOwnHost } from "../domains/index.ts";
import { dayMs } from "../kernel/time.ts";
import { unauthenticated } from "../kernel/errors.ts";
import { refuseBlocked } from "../screening/index.ts";
import { timestamp } from "../validation/strings.ts";
import { insertWithUniqueSlug } from "./unique-slug.ts";
import { insertLink } from "./insert.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { demandFields, domainOf, newLinkFields, rowOf } from "./new-link.ts";
import { destinationsOf } from "./options.ts";
import { bytesOf } from "./storage.ts";

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
    const sent = await getRawInput();
    demandFields(ctx, sent);
    return next({ getRawInput: async () => sent });
  })
  .input(newLinkFields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    if (input.slug !== undefined && ctx.actor.kind === "anonymous" && !deps.policy.anonymousSlugs)
      throw unauthenticated("slug: ");
    const domain_id = await domainOf(ctx, input.domain);
    refuseOwnHost(deps, destinationsOf(input));
    ctx.charge();
    await refuseBlocked(deps.screening, destinationsOf(input));

    const row = await rowOf(ctx, input, domain_id);
    await deps.storage.take(ctx.actor, { links: 1, bytes: bytesOf(row) });
    const request = { slug: input.slug, accountId: row.account_id, destinations: destinationsOf(input) };
    const linkWith = (slug: string) => toLink(ctx, { ...row, slug, click_count: 0 });
    const slug = await insertWithUniqueSlug(deps, request, (candidate, hosts) =>
      performOnce(
        ctx,
        (database) => insertLink(database, { ...row, slug: candidate }, hosts),
        ({ rowCount }) => (rowCount === 0 ? undefined : linkWith(candidate)),
      ),
    );
    deps.invalidate({ domain_id, slug });
    if (row.account_id === null) {
      const end = new Date(row.created_at.getTime() + deps.anonymousLinksDays * dayMs);
      ctx.reply.meta = { deleted_unless_clicked_by: end.toISOString() };
    }
    return linkWith(slug);
  });
