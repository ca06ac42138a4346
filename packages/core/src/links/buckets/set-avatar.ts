import { requires } from "../call.ts";
import { createHash } from "node:crypto";
import * as z from "zod";
import { maxImageBytes, squareImage } from "../images/convert.ts";
import { creation } from "../../rpc/procedure.ts";
import { imageInput } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { changeAvatar } from "./change-avatar.ts";
import { readBucket } from "./read.ts";

/** Twice as wide as the page shows it, for dense screens. */
const side = 256;
const maxBytes = 40_000;

/**
 * Sets the image of a bucket's page. It is decoded and stored as a square WebP image of 256 pixels, which keeps nothing of
 * the file but what it shows. Counts as one link creation, as it costs more than most requests.
 */
export const setAvatar = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "PUT",
      path: "/v1/buckets/{id}/avatar",
      tags: ["Buckets"],
      summary: "Set a bucket's image",
      description: `Takes a PNG, JPEG or WebP image of at most ${maxImageBytes / 1e6} MB and 16 million pixels as the body. Its middle is stored as WebP, ${side} by ${side} pixels, without metadata.`,
      file: { types: ["image/png", "image/jpeg", "image/webp"], field: "image", maxBytes: maxImageBytes },
      successDescription: "The bucket, with the address of its image",
      errors: [404, 429],
    },
  })
  .use(creation)
  .input(fieldsOf({ id: z.string(), image: imageInput(maxImageBytes) }))
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { id, image } }) => {
    const { deps, account } = ctx;
    await readBucket(deps, account.id, id); // 404 before the image is decoded
    ctx.charge();
    const small = await squareImage(ctx, image, { side, maxBytes });
    const hash = createHash("sha256").update(small).digest("base64url").slice(0, 22);
    return deps.storage.reserve(ctx.actor, { links: 0, bytes: small.length }, () =>
      changeAvatar(ctx, id, { name: `${hash}.webp`, image: Buffer.from(small) }),
    );
  });
