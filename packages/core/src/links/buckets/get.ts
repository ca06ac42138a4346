import { requires } from "../call.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { readBucket, toBucket } from "./read.ts";

/** Returns one bucket of the account. */
export const getBucket = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "GET",
      path: "/v1/buckets/{id}",
      tags: ["Buckets"],
      summary: "Get a bucket",
      successDescription: "The bucket",
      errors: [404],
    },
  })
  .input(byId)
  .output(bucketSchema)
  .query(async ({ ctx, input }) => toBucket(ctx.deps, await readBucket(ctx.deps, ctx.account.id, input.id)));
