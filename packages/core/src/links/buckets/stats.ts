import { requires } from "../call.ts";
import * as z from "zod";
import { byId } from "../../kernel/validation/ids.ts";
import { readBucket } from "./read.ts";

const count = z.int().min(0);

/** Counts how often people opened a bucket's page and followed its links. Not part of the account's analytics. */
export const bucketStats = requires("buckets")
  .meta({
    scope: "buckets",
    openapi: {
      method: "GET",
      path: "/v1/buckets/{id}/stats",
      tags: ["Buckets"],
      summary: "Get a bucket's views and clicks",
      successDescription: "Views of the page, and clicks of each of its links",
      errors: [404],
    },
  })
  .input(byId)
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
    const { views, clicks, links } = await readBucket(ctx.deps, ctx.account.id, input.id);
    return { views, clicks, links };
  });
