import { accountProcedure } from "../call.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { changeAvatar } from "./change-avatar.ts";

/** Removes the image of a bucket's page. Every plan may, as it may delete the page. */
export const deleteAvatar = accountProcedure
  .meta({
    scope: "buckets",
    openapi: {
      method: "DELETE",
      path: "/v1/buckets/{id}/avatar",
      tags: ["Buckets"],
      summary: "Remove a bucket's image",
      description: "Succeeds if there is none.",
      successDescription: "The bucket",
      errors: [404],
    },
  })
  .input(byId)
  .output(bucketSchema)
  .mutation(({ ctx, input: { id } }) => changeAvatar(ctx, id, null));
