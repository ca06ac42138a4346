import * as z from "zod";
import { isPlain, line, notPlainBut, textUpTo } from "../kernel/validation/strings.ts";
import { maxSlugLength, parseSlug } from "../kernel/slug.ts";

/** The fields of links as clients send them. Options are in redirects/rules/, a file each. */

export const slugInput = z
  .string()
  .meta({
    description: `Letters, digits, emoji, "-" and "_", at most ${maxSlugLength}; case-sensitive`,
    examples: ["launch-2026"],
  })
  .transform((raw, ctx) => {
    const result = parseSlug(raw);
    if (result.ok) return result.slug;
    ctx.addIssue({ code: "custom", message: result.reason });
    return z.NEVER;
  });

export const titleInput = line(255)
  .describe("The link's name; visitors see it only in the link's preview")
  .transform((title) => (title === "" ? null : title));

const maxNotesLength = 2000;

/** Text of several lines, whose line ends become line feeds. */
export const notesInput = textUpTo(maxNotesLength)
  .refine(
    (text) => isPlain(text.replaceAll(/[\t\r\n]/g, "")),
    notPlainBut("must not contain control characters except tabs and line ends"),
  )
  .transform((text) => text.replaceAll(/\r\n?/g, "\n"))
  .describe(
    "Remarks for the account itself, in several lines; visitors never see them, and they are not searched",
  )
  .transform((text) => (text.trim() === "" ? null : text));
