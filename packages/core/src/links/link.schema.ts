import { asRefused } from "../kernel/validation/issues.ts";
import * as z from "zod";
import { isPlain, line, named, plain, textUpTo, timestamp } from "../kernel/validation/strings.ts";
import { maxSlugLength, parseSlug } from "../kernel/slug.ts";
import { linkHealthSchema } from "../safety/health/health.schema.ts";
import { isActiveInput, isActiveOutput } from "../redirects/rules/availability.ts";
import { urlInput } from "../redirects/destination.ts";
import { optionInputs, optionOutputs } from "../redirects/rules/rules.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { makerOutput } from "../rpc/makers.ts";
import { lookInput, lookOutput } from "./qr/qr.schema.ts";
import { tagsInput } from "./tags/tag.schema.ts";

/** The fields of links as clients send them and as they get them. Options are in redirects/rules/, a file each. */

export const slugInput = z
  .string()
  .meta({
    description: `Letters, digits, emoji, "-" and "_", at most ${maxSlugLength}; case-sensitive`,
    examples: ["launch-2026"],
  })
  .transform((raw, ctx) => {
    const result = parseSlug(raw);
    if (result.ok) return result.slug;
    ctx.addIssue(asRefused(result.reason));
    return z.NEVER;
  });

export const titleInput = line(255)
  .describe("The link's name; visitors see it only in the link's preview")
  .transform((title) => (title === "" ? null : title));

const maxNotesLength = 2000;

/** Text of several lines, whose line ends become line feeds. */
export const notesInput = textUpTo(maxNotesLength)
  .superRefine(
    plain("must not contain control characters except tabs and line ends", (text) =>
      isPlain(text.replaceAll(/[\t\r\n]/g, "")),
    ),
  )
  .transform((text) => text.replaceAll(/\r\n?/g, "\n"))
  .describe("Private notes, which may span several lines; visitors never see them, and search ignores them")
  .transform((text) => (text.trim() === "" ? null : text));

export const newLinkFields = fieldsOf({
  url: urlInput,
  slug: slugInput.optional(),
  title: titleInput.nullish(),
  tags: tagsInput.nullish().describe("Names of tags; new ones are created"),
  notes: notesInput.nullish(),
  qr: lookInput.nullish(),
  is_active: isActiveInput.optional(),
  domain: line(253).optional().describe("A verified custom domain of the account. Needs the Pro plan"),
  ...optionInputs,
});
export type NewLink = z.output<typeof newLinkFields>;

/** A person's id. A link can also be sent back as it was read, with or without a maker. */
const makerInput = z
  .union([z.null(), z.string(), z.object({ id: z.string() })], { error: "must be the id of a member" })
  .transform((sent) => (typeof sent === "object" ? sent?.id : sent))
  .optional()
  .describe("Hands the link over to the member with this id; null changes nothing");

/** Fields that can be changed for one link, and for many links alike. */
export const changeFields = {
  url: urlInput.optional(),
  title: titleInput.nullish().describe("null clears it"),
  is_active: isActiveInput.optional(),
  notes: notesInput.nullish().describe("null clears them"),
  qr: lookInput.nullish().describe("Style of the link's QR code; null for a plain one"),
  tags: tagsInput
    .nullish()
    .describe("Replaces the link's tags; new ones are created. null or an empty list clears them"),
  created_by: makerInput,
  ...optionInputs,
};
export type LinkChanges = z.output<z.ZodObject<typeof changeFields>>;

const fields = z.object({
  id: z.string(),
  slug: z.string().describe("Path part of the short URL"),
  shortUrl: z.string().describe("Full short URL"),
  short_url: z.string().describe("The same as shortUrl"),
  destination: z.string(),
  domain: z.string().describe("Host that serves the link"),
  title: z.string().nullable(),
  click_count: z.int().min(0),
  last_click_at: timestamp.nullable().describe("When a person last followed the link; null if never"),
  imported_clicks: z
    .int()
    .min(0)
    .describe("Clicks imported from another service as a total only; not included in any other count"),
  fallbacks: z.int().min(0).describe("Visits sent to `fallback_url`, which are not clicks"),
  is_active: isActiveOutput,
  disabled_at: timestamp
    .nullable()
    .describe("When the operator disabled the link, which answers 410 since; null if it is not disabled"),
  disabled_reason: z.string().nullable().describe("Why the operator disabled the link"),
  health: linkHealthSchema
    .nullable()
    .describe("Result of the last check of the destination; null if it was never checked"),
  created_at: timestamp,
  created_by: makerOutput,
  updated_at: timestamp,
  tags: z.array(z.string()).describe("Names of the link's tags, in alphabetical order"),
  notes: z.string().nullable().describe("Private notes, which visitors never see"),
  qr: lookOutput.nullable().describe("Style of the link's QR code; null for a plain one"),
  ...optionOutputs,
});

/** A link as every client sees it. */
export interface Link extends z.infer<typeof fields> {}
/** The same object without its name, for files, whose descriptions have no components. */
export const linkInFile = fields;
/** The fields of a link, in their order. */
export const linkFieldNames = Object.keys(fields.shape) as (keyof Link)[];
export const linkSchema = named<Link>("Link", fields);
