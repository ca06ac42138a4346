import { router } from "../../rpc/procedure.ts";
import { createBucket } from "./create.ts";
import { deleteAvatar } from "./delete-avatar.ts";
import { deleteBucket } from "./delete.ts";
import { getBucket } from "./get.ts";
import { listBuckets } from "./list.ts";
import { setAvatar } from "./set-avatar.ts";
import { bucketStats } from "./stats.ts";
import { updateBucket } from "./update.ts";

export const bucketsRouter = router({
  /** Create a bucket */
  create: createBucket,
  /** List buckets */
  list: listBuckets,
  /** Get a bucket */
  get: getBucket,
  /** Update a bucket */
  update: updateBucket,
  /** Delete a bucket */
  delete: deleteBucket,
  /** Get a bucket's views and clicks */
  stats: bucketStats,
  /** Set a bucket's image */
  setAvatar,
  /** Remove a bucket's image */
  deleteAvatar,
});
