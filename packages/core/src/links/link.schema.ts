import * as z from "zod";
import { named } from "../validation/outputs.ts";
import { timestamp } from "../validation/strings.ts";

const fields = z.object({
  id: z.string(),
  /** Path part of the short URL */
  slug: z.string().describe("Path part of the short URL"),
  /** Full short URL */
  shortUrl: z.string().describe("Full short URL"),
  /** The same as shortUrl */
  short_url: z.string().describe("The same as shortUrl"),
  destination: z.string(),
  /** Host that serves the link */
  domain: z.string().describe("Host that serves the link"),
  title: z.string().nullable(),
  click_count: z.int().min(0),
  is_active: z.union([z.literal(0), z.literal(1)]),
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp.nullable(),
  has_password: z.boolean(),
  geo_rules: z.array(z.object({ country: z.string(), url: z.string() })),
  ab_test: z.object({ variants: z.array(z.object({ url: z.string(), weight: z.int().min(1) })) }).nullable(),
});

/** A link as every client sees it. */
export interface Link extends z.infer<typeof fields> {}
export const linkSchema = named<Link>("Link", fields);
