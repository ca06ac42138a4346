import * as z from "zod";
import { refuseLoops } from "../domains/index.ts";
import { changesOf } from "../fields.ts";
import { slugInput, explainRename } from "../links/index.ts";
import { requires } from "../procedure.ts";
import { announcePaths } from "./announce.ts";
import { bucketLinksInput, nameInput } from "./bucket.input.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { changeBucket } from "./change.ts";
import { destinationsOf } from "./items.ts";
import { readBucket, toBucket } from "./read.ts";

const shape = {
  id: z.string(),
  name: nameInput.optional(),
  slug: slugInput.optional(),
  links: bucketLinksInput.optional(),
};

/** Changes the fields that are given, all of them or none. */
export const updateBucket = requires("buckets")
  .meta({
    openapi: {
      method: "PUT",
      path: "/v1/buckets/{id}",
      tags: ["Buckets"],
      summary: "Update a bucket",
      description:
        "Only the fields given change; `links` replaces the list. A link that keeps its URL or its title keeps its clicks.",
      successDescription: "The bucket as it is now",
      errors: [404, 409],
    },
  })
  .input(changesOf(shape, bucketSchema))
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { id, ...changes } }) => {
    const { deps, account, em } = ctx;
    const bucket = await readBucket(deps, account.id, id);
    if (Object.values(changes).every((change) => change === undefined)) return toBucket(deps, bucket);
    await refuseLoops(deps, destinationsOf(changes.links ?? []));
    try {
      announcePaths(deps, await em.transactional((tx) => changeBucket(tx, deps, id, changes)));
    } catch (error) {
      throw explainRename(error, changes.slug);
    }
    return toBucket(deps, await readBucket(deps, account.id, id));
  });
