import * as z from "zod";
import { isActiveOutput, optionOutputs } from "../redirects/index.ts";
import { timestamp } from "../validation/strings.ts";

/** A link as every client sees it. */
export const linkSchema = z.object({
  id: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL"),
  short_url: z.string().describe("The same as shortUrl"),
  destination: z.string(),
  domain: z.string().describe("Host that serves the link"),
  title: z.string().nullable(),
  click_count: z.int().min(0),
  is_active: isActiveOutput,
  created_at: timestamp,
  updated_at: timestamp,
  ...optionOutputs,
});
export type Link = z.infer<typeof linkSchema>;
