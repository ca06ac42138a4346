import { type Call, publicProcedure } from "./call.ts";
import * as z from "zod";
import type { Database } from "../db/statements.ts";
import { performOnce } from "../rpc/idempotency/once.ts";
import { creation } from "../rpc/procedure.ts";
import { assertNotOwnHost } from "../domains/redirect-loops.ts";
import { dayMs } from "../kernel/time.ts";
import { unauthenticated } from "../kernel/errors.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { demandRoomForTags, tagsOf } from "./tags/tagging.ts";
import { timestamp } from "../kernel/validation/strings.ts";
import { insertWithUniqueSlug } from "./unique-slug.ts";
import { insertLink } from "./insert.ts";
import { linkSchema } from "./link.schema.ts";
import { toLink } from "./link.view.ts";
import { demandFields, domainOf, type NewLink, newLinkFields, rowOf } from "./new-link.ts";
import { destinationsOf } from "./options.ts";
import { bytesOf } from "../redirects/link-bytes.ts";
import { refuseEndBeforeStart } from "./times.ts";

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
    demandFields(ctx, await getRawInput());
    return next();
  })
  .input(newLinkFields)
  .output(linkSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps } = ctx;
    refuseForAnonymous(ctx, input);
    const domain_id = await domainOf(ctx, input.domain);
    refuseEndBeforeStart(input);
    assertNotOwnHost(deps, destinationsOf(input));
    ctx.charge();
    await assertNotBlocked(deps.screening, destinationsOf(input));

    const row = await rowOf(ctx, input, domain_id);
    const tags = input.tags ?? [];
    const room = { links: 1, bytes: bytesOf({ ...row, tags }) };
    const request = { slug: input.slug, accountId: row.account_id, destinations: destinationsOf(input) };
    let shown: readonly string[] = [];
    const linkWith = (slug: string) =>
      toLink(ctx, { ...row, slug, click_count: 0, tags: shown, health: null });
    const insert = (candidate: string, hosts: readonly string[]) =>
      performOnce(
        ctx,
        async (database) => {
          const result = await insertLink(database, { ...row, slug: candidate }, hosts, tags);
          if (result.rowCount !== 0) shown = await shownTags(database, row, tags);
          else if (row.account_id !== null) await demandRoomForTags(database, row.account_id, tags);
          return result;
        },
        ({ rowCount }) => (rowCount === 0 ? undefined : linkWith(candidate)),
      );
    const slug = await deps.storage.reserve(ctx.actor, room, () =>
      insertWithUniqueSlug(deps, request, insert),
    );
    deps.invalidate({ domain_id, slug });
    if (row.account_id === null) {
      const end = new Date(row.created_at.getTime() + deps.anonymousLinksDays * dayMs);
      ctx.reply.meta = { deleted_unless_clicked_by: end.toISOString() };
    }
    return linkWith(slug);
  });

/** Throws 401 for fields that only an account can have. */
function refuseForAnonymous({ actor, deps }: Call, { slug, tags, notes, qr, is_active }: NewLink): void {
  if (actor.kind !== "anonymous") return;
  if (slug !== undefined && !deps.policy.anonymousSlugs) throw unauthenticated("slug: ");
  if (tags != null && tags.length > 0) throw unauthenticated("tags: ");
  if (notes != null) throw unauthenticated("notes: ");
  if (qr != null) throw unauthenticated("qr: ");
  if (is_active !== undefined && !is_active) throw unauthenticated("is_active: ");
}

/** The tags of a new link, spelled as they are stored. */
const shownTags = async (database: Database, { id }: { id: string }, tags: readonly string[]) =>
  tags.length === 0 ? [] : ((await tagsOf(database, [id])).get(id) ?? []);
