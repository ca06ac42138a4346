import { asRefused, refused } from "../../kernel/validation/issues.ts";
import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { makerOutput } from "../../rpc/makers.ts";
import { linksPerBucket } from "../../kernel/plans.ts";
import { isContact, maxContactLength, parseContact } from "../../kernel/contacts.ts";
import { maxDestinationLength, parseDestination } from "../../redirects/destination.ts";
import { hexColor, normalizeColor } from "../colors.ts";
import { line, named, textLike, timestamp } from "../../kernel/validation/strings.ts";

/** A heading or title must show something. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;
const label = line(100)
  .min(1, { error: "must not be empty", abort: true })
  .refine((text) => visible.test(text), refused("nothing_visible", "must have a visible character"));

export const nameInput = label.describe("Heading of the page");

/** Null, or text without visible characters, for none. */
export const descriptionInput = line(200)
  .transform((text) => (visible.test(text) ? text : null))
  .nullable()
  .describe("A line of text under the name; null for none");

export const accentInput = textLike(hexColor, "color", "must be a colour as #rgb or #rrggbb", "#0f6b52")
  .meta({ examples: ["#0f6b52"] })
  .transform(normalizeColor)
  .nullable()
  .describe("Colour of the page as #rrggbb; null for a default colour");

const itemUrlInput = z
  .string()
  .meta({
    maxLength: maxDestinationLength,
    description: `Absolute http or https URL; or a mailto: or tel: URL of at most ${maxContactLength} characters, which is shown as is and not counted`,
    examples: ["https://example.com/"],
  })
  .transform((raw, ctx) => {
    const result = isContact(raw) ? parseContact(raw) : parseDestination(raw);
    if (result.ok) return result.url;
    ctx.addIssue(asRefused(result.reason));
    return z.NEVER;
  });

export const bucketLinksInput = z
  .array(fieldsOf({ title: label.describe("Text of the link"), url: itemUrlInput }))
  .min(1, "must have at least one link")
  .max(linksPerBucket, `must have at most ${linksPerBucket} links`)
  .describe("In the order shown on the page");

const fields = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL of the page"),
  short_url: z.string().describe("The same as shortUrl"),
  links: z.array(z.object({ title: z.string(), url: z.string() })),
  description: z.string().nullable().describe("A line of text under the name"),
  accent_color: z.string().nullable().describe("Colour of the page as #rrggbb; null for a default colour"),
  avatar_url: z.string().nullable().describe("Address of the page's image, a WebP of 256 by 256 pixels"),
  views: z.int().min(0).describe("Views of the page by people"),
  clicks: z.int().min(0).describe("Clicks by people on its links; mailto: and tel: are not counted"),
  disabled_at: timestamp
    .nullable()
    .describe("When the operator disabled the bucket, which answers 410 since; null if it is not disabled"),
  disabled_reason: z.string().nullable().describe("Why the operator disabled the bucket"),
  created_at: timestamp,
  created_by: makerOutput,
  updated_at: timestamp,
});

/** A bucket as every client sees it. */
export interface Bucket extends z.infer<typeof fields> {}
export const bucketSchema = named<Bucket>("Bucket", fields);
