import { requires } from "../call.ts";
import * as z from "zod";
import { addedTo, assertNoLoops, assertNotOwnHost } from "../../domains/redirect-loops.ts";
import { changesOf } from "../../kernel/validation/inputs.ts";
import { concurrentChange, maxAttempts } from "../../kernel/errors.ts";
import { slugUpdateError } from "../unique-slug.ts";
import { slugInput } from "../link.input.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { ownDomainId } from "../../kernel/host-names.ts";
import { accentInput, bucketLinksInput, bucketSchema, descriptionInput, nameInput } from "./bucket.schema.ts";
import { changeBucket, invalidatePaths } from "./change.ts";
import { bytesOfBucket, readBucket, toBucket } from "./bucket.row.ts";
import { destinationsOf } from "./items.ts";

const shape = {
  id: z.string(),
  name: nameInput.optional(),
  slug: slugInput.optional(),
  links: bucketLinksInput.optional(),
  description: descriptionInput.optional(),
  accent_color: accentInput.optional(),
};

/** Changes the given fields, all of them or none. */
export const updateBucket = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "PUT",
      path: "/v1/buckets/{id}",
      tags: ["Buckets"],
      summary: "Update a bucket",
      example: { name: "Another name" },
      description:
        "Only the given fields change; `links` replaces the list. A link that keeps its URL or its title keeps its clicks.",
      successDescription: "The updated bucket",
      errors: [404, 409],
    },
  })
  .input(changesOf(shape, bucketSchema))
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { id, ...changes } }) => {
    const { deps, account, em } = ctx;
    const bucket = await readBucket(deps, account.id, id);
    if (Object.values(changes).every((change) => change === undefined)) return toBucket(deps, bucket);
    const destinations = addedTo(destinationsOf(bucket.links), destinationsOf(changes.links ?? []));
    assertNotOwnHost(deps, destinations);
    await assertNotBlocked(deps.screening, destinations);
    const { name = bucket.name, slug = bucket.slug, links = bucket.links } = changes;
    const { description = bucket.description } = changes;
    const bytes = bytesOfBucket({ name, slug, links, description }) - bytesOfBucket(bucket);
    const paths = await deps.storage
      .reserve(ctx.actor, { links: 0, bytes }, write)
      .catch(async (error: unknown) => {
        throw await slugUpdateError(deps, error, { id, domain_id: ownDomainId, slug: changes.slug });
      });
    invalidatePaths(deps, paths);
    return toBucket(deps, await readBucket(deps, account.id, id));

    /** Tries again if nothing was written because of a loop that is gone by now. */
    async function write(): Promise<string[]> {
      const bucketKey = { id, account_id: account.id };
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const written = await em.transactional((tx) =>
          changeBucket(tx, deps, bucketKey, changes, destinations),
        );
        if (written !== null) return written;
        await assertNoLoops(deps, account.id, destinations);
      }
      throw concurrentChange();
    }
  });
