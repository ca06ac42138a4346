import { requires } from "../call.ts";
import { withListSlot, pageInput, pageMeta, pageOf } from "../../kernel/validation/pagination.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { readBuckets, toBucket } from "./read.ts";

/** Lists the account's buckets, newest first, by default up to a hundred per page. */
export const listBuckets = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "GET",
      path: "/v1/buckets",
      tags: ["Buckets"],
      summary: "List buckets",
      successDescription: "One page of the account's buckets, newest first",
    },
  })
  .input(pageInput("Buckets", 100).prefault({}))
  .output(pageOf(bucketSchema))
  .query(async ({ ctx: { deps, account }, input: { page, limit } }) => {
    const offset = (page - 1) * limit;
    const { rows, total } = await withListSlot(deps.pool, account.id, () =>
      readBuckets(deps, account.id, { limit, offset }),
    );
    return {
      data: rows.map((row) => toBucket(deps, row)),
      meta: pageMeta(page, limit, total),
    };
  });
