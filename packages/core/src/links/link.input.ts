import * as z from "zod";
import { line } from "../validation/strings.ts";
import { maxSlugLength, parseSlug } from "./slug.ts";

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
