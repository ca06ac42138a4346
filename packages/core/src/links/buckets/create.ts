import { requires } from "../call.ts";
import { refuseOwnHost } from "../../domains/redirect-loops.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { insertWithUniqueSlug } from "../unique-slug.ts";
import { slugInput } from "../link.input.ts";
import { performOnce } from "../../rpc/idempotency/once.ts";
import { creation } from "../../rpc/procedure.ts";
import { refuseBlocked } from "../../safety/screening/refuse-blocked.ts";
import { accentInput, bucketLinksInput, descriptionInput, nameInput } from "./bucket.input.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { invalidatePaths } from "./invalidate.ts";
import { insertBucket } from "./insert.ts";
import { bytesOfBucket } from "./bytes.ts";
import { destinationsOf, itemSlug } from "./items.ts";
import { toBucket } from "./read.ts";

/** Creates a page that lists up to ten links under one short URL. Counts as one link creation. */
export const createBucket = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "POST",
      path: "/v1/buckets",
      tags: ["Buckets"],
      summary: "Create a bucket",
      example: {
        name: "Ada Lovelace",
        links: [
          { title: "My notes", url: "https://example.com/notes" },
          { title: "Write to me", url: "https://example.com/contact" },
        ],
      },
      successDescription: "The new bucket",
      successStatus: 201,
      errors: [409, 429],
    },
  })
  .use(creation)
  .input(
    fieldsOf({
      name: nameInput,
      slug: slugInput.optional(),
      links: bucketLinksInput,
      description: descriptionInput.optional(),
      accent_color: accentInput.optional(),
    }),
  )
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { slug: requested, ...input } }) => {
    const { deps } = ctx;
    const { name, links, description = null, accent_color = null } = input;
    const destinations = destinationsOf(links);
    refuseOwnHost(deps, destinations);
    ctx.charge();
    await refuseBlocked(deps.screening, destinations);
    const now = deps.clock();
    const row = {
      id: deps.newId(),
      account_id: ctx.account.id,
      name,
      links,
      description,
      accent_color,
      avatar: null,
      views: 0,
      clicks: 0,
      created_at: now,
      updated_at: now,
    };
    const room = { links: 0, bytes: bytesOfBucket({ ...row, slug: requested }) };
    const request = { slug: requested, accountId: ctx.account.id, destinations };
    const insert = (candidate: string, hosts: readonly string[]) =>
      performOnce(
        ctx,
        (database) => insertBucket(database, deps, { ...row, slug: candidate }, hosts),
        ({ rowCount }) => (rowCount === 0 ? undefined : toBucket(deps, { ...row, slug: candidate })),
      );
    const slug = await deps.storage.reserve(ctx.actor, room, () =>
      insertWithUniqueSlug(deps, request, insert),
    );
    invalidatePaths(deps, [slug, ...links.map((_, at) => itemSlug(slug, at + 1))]);
    return toBucket(deps, { ...row, slug });
  });
