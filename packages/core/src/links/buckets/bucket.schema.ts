import * as z from "zod";
import { named } from "../../kernel/validation/outputs.ts";
import { timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL of the page"),
  short_url: z.string().describe("The same as shortUrl"),
  links: z.array(z.object({ title: z.string(), url: z.string() })),
  description: z.string().nullable().describe("A line of text under the name"),
  accent_color: z
    .string()
    .nullable()
    .describe("Colour of the page as #rrggbb; null for one of the service's own"),
  avatar_url: z
    .string()
    .nullable()
    .describe("Where the page's image is served: a WebP image, 256 by 256 pixels"),
  views: z.int().min(0).describe("Visits of the page by people"),
  clicks: z.int().min(0).describe("Clicks of people on its links; mailto: and tel: are not counted"),
  disabled_at: timestamp
    .nullable()
    .describe(
      "When the operator of the service disabled the bucket, so that it answers 410; null if it is not disabled",
    ),
  disabled_reason: z.string().nullable().describe("Why the operator disabled the bucket"),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A bucket as every client sees it. */
export interface Bucket extends z.infer<typeof fields> {}
export const bucketSchema = named<Bucket>("Bucket", fields);
