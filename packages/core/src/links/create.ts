import type { Database } from "../db/statements.ts";
import * as z from "zod";
import { hostsOf } from "../domains/redirect-loops.ts";
import { unauthenticated } from "../kernel/errors.ts";
import { dayMs } from "../kernel/time.ts";
import { timestamp } from "../kernel/validation/strings.ts";
import { runIdempotently } from "../rpc/idempotency/once.ts";
import { limitCreations } from "../rpc/procedure.ts";
import { type AcceptedLink, acceptOne, requireFields } from "./accept.ts";
import { type Call, publicProcedure } from "./call.ts";
import { insertRow } from "./insert.ts";
import { type NewLinkRow, toLink } from "./link.row.ts";
import { type Link, linkSchema, type NewLink, newLinkFields } from "./link.schema.ts";
import { destinationsOf } from "./options.ts";
import { requireRoomForTags, tagsOf } from "./tags/tagging.ts";
import { insertWithUniqueSlug } from "./unique-slug.ts";

const anonymousMeta = z
  .object({ deleted_unless_clicked_by: timestamp })
  .describe("For links without an account: when the link is deleted unless it is clicked before");

/** Shortens a URL. A link that is created without a credential has no account and cannot be managed. */
export const createLink = publicProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/links",
    tag: "Links",
    summary: "Create a short link",
    example: { url: "https://example.com/a/long/address", title: "An example" },
    successDescription: "The new link",
    successStatus: 201,
    successMeta: anonymousMeta,
    errors: [409, 429],
  })
  .use(limitCreations)
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
  if (slug !== undefined && !deps.policy.anonymousSlugs) throw unauthenticated("slug");
  if (tags != null && tags.length > 0) throw unauthenticated("tags");
  if (notes != null) throw unauthenticated("notes");
  if (qr != null) throw unauthenticated("qr");
  if (is_active !== undefined && !is_active) throw unauthenticated("is_active");
}

/**
 * Inserts an accepted link in its reserved room, with its saved answer if the request has an Idempotency-Key. Returns
 * the link as clients see it.
 */
async function insertLink(ctx: Call, { row, input, bytes }: AcceptedLink): Promise<Link> {
  const { deps } = ctx;
  const destinations = destinationsOf(input);
  const insert = (slug: string) =>
    runIdempotently(ctx, (database) =>
      tryToInsert(ctx, database, { ...row, slug }, hostsOf(destinations), input.tags ?? []),
    );
  const link = await deps.storage.reserve(ctx.actor, { links: 1, bytes }, () =>
    insertWithUniqueSlug(deps, { slug: input.slug, accountId: row.account_id, destinations }, insert),
  );
  deps.invalidate({ domain_id: row.domain_id, slug: link.slug });
  return link;
}

/** Undefined, with nothing inserted, if a destination makes a loop. Throws 403 if the account has no room for more tags. */
async function tryToInsert(
  ctx: Call,
  database: Database,
  row: NewLinkRow,
  hosts: readonly string[],
  tags: readonly string[],
): Promise<Link | undefined> {
  const { rowCount } = await insertRow(database, row, hosts, tags);
  if (rowCount === 0) {
    if (row.account_id !== null) await requireRoomForTags(database, row.account_id, tags);
    return undefined;
  }
  // As stored: an existing tag may be spelled differently.
  const shown = tags.length === 0 ? [] : ((await tagsOf(database, [row.id])).get(row.id) ?? []);
  return toLink(ctx, { ...row, click_count: 0, tags: shown, health: null });
}
