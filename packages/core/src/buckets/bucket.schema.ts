import * as z from "zod";
import { timestamp } from "../validation/strings.ts";

/** A bucket as every client sees it. */
export const bucketSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL of the page"),
  short_url: z.string().describe("The same as shortUrl"),
  links: z.array(z.object({ title: z.string(), url: z.string() })),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Bucket = z.infer<typeof bucketSchema>;
