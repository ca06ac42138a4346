import * as z from "zod";
import { linkHealthSchema } from "../safety/health/health.schema.ts";
import { isActiveOutput } from "../redirects/rules/availability.ts";
import { optionOutputs } from "../redirects/rules/rules.ts";
import { named, timestamp } from "../kernel/validation/strings.ts";
import { lookOutput } from "./qr/look.ts";

const fields = z.object({
  id: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL"),
  short_url: z.string().describe("The same as shortUrl"),
  destination: z.string(),
  domain: z.string().describe("Host that serves the link"),
  title: z.string().nullable(),
  click_count: z.int().min(0),
  last_click_at: timestamp.nullable().describe("When a person last followed the link; null if nobody has"),
  imported_clicks: z
    .int()
    .min(0)
    .describe(
      "Clicks that another service counted before the link was imported, of which it gave the total only; in no other count",
    ),
  fallbacks: z.int().min(0).describe("People who were sent to `fallback_url`, which are not clicks"),
  is_active: isActiveOutput,
  disabled_at: timestamp
    .nullable()
    .describe(
      "When the operator of the service disabled the link, so that it answers 410; null if it is not disabled",
    ),
  disabled_reason: z.string().nullable().describe("Why the operator disabled the link"),
  health: linkHealthSchema
    .nullable()
    .describe("What the last check of the destination found; null if it was not checked"),
  created_at: timestamp,
  updated_at: timestamp,
  tags: z.array(z.string()).describe("Names of the link's tags, in alphabetical order"),
  notes: z.string().nullable().describe("Remarks for the account itself, which visitors never see"),
  qr: lookOutput.nullable().describe("How the link's QR code looks; null for a plain one"),
  ...optionOutputs,
});

/** A link as every client sees it. */
export interface Link extends z.infer<typeof fields> {}
/** The same object without its name, for files, whose descriptions have no components. */
export const linkInFile = fields;
/** The fields of a link, in their order. */
export const linkFieldNames = Object.keys(fields.shape) as (keyof Link)[];
export const linkSchema = named<Link>("Link", fields);
