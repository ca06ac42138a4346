import { accountProcedure } from "../call.ts";
import { notFound } from "../../kernel/errors.ts";
import { BucketEntity } from "./bucket.entity.ts";
import { byId, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { invalidatePaths } from "./invalidate.ts";
import { lockBucket } from "./lock.ts";

/**
 * Deletes a bucket, its page and its counts; its slug is free at once. Every plan may, so that an account that has left
 * Pro can still take a page down.
 */
export const deleteBucket = accountProcedure
  .meta({
    scope: "buckets",
    openapi: {
      method: "DELETE",
      path: "/v1/buckets/{id}",
      tags: ["Buckets"],
      summary: "Delete a bucket",
      successDescription: "The bucket is deleted and its slug is free",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Bucket");
    const paths = await ctx.em.transactional(async (tx) => {
      const { page, items } = await lockBucket(tx, id);
      await tx.nativeDelete(BucketEntity, { id });
      return [page, ...items].map(({ slug }) => slug);
    });
    invalidatePaths(ctx.deps, paths);
    return { id, deleted: true as const };
  });
