import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { type AccountCall, accountProcedure, requires } from "../call.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { type Bucket, bucketSchema } from "./bucket.schema.ts";
import { BucketEntity, readBucket, readBuckets, toBucket } from "./bucket.row.ts";
import { idInput, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import * as z from "zod";
import { notFound } from "../../kernel/errors.ts";
import { invalidatePaths, lockBucket, updateBucket } from "./update.ts";
import { createHash } from "node:crypto";
import { imageFile, maxImageBytes, squareImage } from "../images/convert.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { imageInput } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { inTransaction } from "../../db/connection.ts";
import { createBucket } from "./create.ts";

/** Lists the account's buckets, newest first, by default up to a hundred per page. */
const listBuckets = requires("buckets")
  .meta({
    scope: "buckets",
    permission: "links:read",
    route: "GET /v1/buckets",
    tag: "Buckets",
    summary: "List buckets",
    successDescription: "One page of the account's buckets, newest first",
  })
  .input(pageInput("Buckets", 100).prefault({}))
  .output(pageOf(bucketSchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const { rows, total } = await withListSlot(ctx.deps.pool, ctx.account.id, () =>
      readBuckets(ctx, { limit, offset: (page - 1) * limit }),
    );
    return { data: rows.map((row) => toBucket(ctx.deps, row)), meta: pageMeta(page, limit, total) };
  });

const getBucket = requires("buckets")
  .meta({
    scope: "buckets",
    permission: "links:read",
    route: "GET /v1/buckets/{id}",
    tag: "Buckets",
    summary: "Get a bucket",
    successDescription: "The bucket",
    errors: [404],
  })
  .input(idInput)
  .output(bucketSchema)
  .query(async ({ ctx, input }) => toBucket(ctx.deps, await readBucket(ctx, input.id)));

const count = z.int().min(0);

/** Counts how often people opened a bucket's page and followed its links. Not part of the account's analytics. */
const bucketStats = requires("buckets")
  .meta({
    scope: "buckets",
    permission: "links:read",
    route: "GET /v1/buckets/{id}/stats",
    tag: "Buckets",
    summary: "Get a bucket's views and clicks",
    successDescription: "Views of the page, and clicks of each of its links",
    errors: [404],
  })
  .input(idInput)
  .output(
    z.object({
      views: count,
      clicks: count.describe("The sum of the links' clicks"),
      links: z.array(
        z.object({
          title: z.string(),
          url: z.string(),
          clicks: count.describe("0 for mailto: and tel:, which are not counted"),
        }),
      ),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { views, clicks, links } = await readBucket(ctx, input.id);
    return { views, clicks, links };
  });

/**
 * Deletes a bucket, its page and its counts; its slug is free at once. Allowed on every plan, so that an account that
 * has left Pro can still take a page down.
 */
const deleteBucket = accountProcedure
  .meta({
    scope: "buckets",
    route: "DELETE /v1/buckets/{id}",
    tag: "Buckets",
    summary: "Delete a bucket",
    successDescription: "The bucket is deleted and its slug is free",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Bucket");
    const { name, paths } = await inTransaction(ctx, async (_, tx) => {
      const { bucket, page, items } = await lockBucket(tx, id);
      await tx.nativeDelete(BucketEntity, { id });
      return { name: bucket.name, paths: [page, ...items].map(({ slug }) => slug) };
    });
    invalidatePaths(ctx.deps, paths);
    await recordActivity(ctx.deps, actorOf(ctx), "bucket_deleted", name, { id });
    return { id, deleted: true as const };
  });

/** Twice as wide as the page shows it, for dense screens. */
const avatarSide = 256;
const maxAvatarBytes = 40_000;

/**
 * Sets the image of a bucket's page. It is decoded and stored as a square WebP image of 256 pixels, without the
 * file's metadata. Counts as one link creation, as it costs more than most requests.
 */
const setAvatar = requires("buckets")
  .meta({
    scope: "buckets",
    route: "PUT /v1/buckets/{id}/avatar",
    tag: "Buckets",
    summary: "Set a bucket's image",
    description: `Takes a PNG, JPEG or WebP image of at most ${maxImageBytes / 1e6} MB and 16 million pixels as the body. It is cropped to a square and stored as WebP, ${avatarSide} by ${avatarSide} pixels, without metadata.`,
    file: imageFile,
    successDescription: "The bucket, with the address of its image",
    errors: [404, 429],
  })
  .use(limitCreations)
  .input(fieldsOf({ id: z.string(), image: imageInput(maxImageBytes) }))
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { id, image } }) => {
    const { deps } = ctx;
    await readBucket(ctx, id); // 404 before the image is decoded
    ctx.charge();
    const small = await squareImage(ctx, image, { side: avatarSide, maxBytes: maxAvatarBytes });
    const hash = createHash("sha256").update(small).digest("base64url").slice(0, 22);
    return deps.storage.reserve(ctx.actor, { links: 0, bytes: small.length }, () =>
      changeAvatar(ctx, id, { name: `${hash}.webp`, image: Buffer.from(small) }),
    );
  });

/** Removes the image of a bucket's page. Allowed on every plan, like deleting the page. */
const deleteAvatar = accountProcedure
  .meta({
    scope: "buckets",
    route: "DELETE /v1/buckets/{id}/avatar",
    tag: "Buckets",
    summary: "Remove a bucket's image",
    description: "Succeeds if there is none.",
    successDescription: "The bucket",
    errors: [404],
  })
  .input(idInput)
  .output(bucketSchema)
  .mutation(({ ctx, input: { id } }) => changeAvatar(ctx, id, null));

/** Replaces the image of a bucket of the account, or removes it; 404 if there is no such bucket. */
async function changeAvatar(
  ctx: AccountCall,
  id: string,
  avatar: { name: string; image: Buffer } | null,
): Promise<Bucket> {
  const { deps } = ctx;
  if (!isId(id)) throw notFound("Bucket");
  const slug = await inTransaction(ctx, async (database, tx) => {
    const { page } = await lockBucket(tx, id);
    if (avatar === null) await database.query("delete from bucket_avatars where bucket_id = $1", [id]);
    else {
      await database.query(
        `insert into bucket_avatars (bucket_id, name, image) values ($1, $2, $3)
         on conflict (bucket_id) do update set name = excluded.name, image = excluded.image`,
        [id, avatar.name, avatar.image],
      );
    }
    // Announces that the page has changed
    await tx.nativeUpdate(BucketEntity, { id }, { updated_at: deps.clock() });
    return page.slug;
  });
  invalidatePaths(deps, [slug]);
  const bucket = toBucket(deps, await readBucket(ctx, id));
  const target = { id, after: { image: avatar?.name ?? null } };
  await recordActivity(deps, actorOf(ctx), "bucket_changed", bucket.name, target);
  return bucket;
}

export const bucketsRouter = router({
  create: createBucket,
  list: listBuckets,
  get: getBucket,
  update: updateBucket,
  delete: deleteBucket,
  stats: bucketStats,
  setAvatar,
  deleteAvatar,
});
