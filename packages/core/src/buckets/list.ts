import * as z from "zod";
import { whole } from "../fields.ts";
import { pageMeta, pageOf } from "../page.ts";
import { requires } from "../procedure.ts";
import { bucketSchema } from "./bucket.schema.ts";
import { readBuckets, toBucket } from "./read.ts";

const fields = z
  .object({
    page: whole(1, 1_000_000).default(1).describe("1 is the first"),
    limit: whole(1, 100).default(100).describe("Buckets a page"),
  })
  .prefault({});

/** The account's buckets, newest first: all of them at once unless there are more than a hundred. */
export const listBuckets = requires("buckets")
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/buckets",
      tags: ["Buckets"],
      summary: "List buckets",
      successDescription: "One page of the account's buckets, newest first",
    },
  })
  .input(fields)
  .output(pageOf(bucketSchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const offset = (page - 1) * limit;
    const { rows, total } = await readBuckets(ctx.deps, ctx.account.id, { limit, offset });
    return {
      data: rows.map((row) => toBucket(ctx.deps, row)),
      meta: pageMeta(page, limit, total),
    };
  });
