import { router } from "../rpc/procedure.ts";
import { createBucket } from "./create.ts";
import { deleteBucket } from "./delete.ts";
import { getBucket } from "./get.ts";
import { listBuckets } from "./list.ts";
import { bucketStats } from "./stats.ts";
import { updateBucket } from "./update.ts";

export const bucketsRouter = router({
  create: createBucket,
  list: listBuckets,
  get: getBucket,
  update: updateBucket,
  delete: deleteBucket,
  stats: bucketStats,
});
