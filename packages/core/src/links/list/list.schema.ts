import * as z from "zod";
import { healthStatuses } from "../../safety/health/verdict.ts";
import { maxDestinationLength } from "../../redirects/destination.ts";
import { oneOf, timeInput } from "../../kernel/validation/inputs.ts";
import { maxTagsOfLink, tagInput } from "../tags/tag.schema.ts";
import { isPlain, line, notPlain, textUpTo } from "../../kernel/validation/strings.ts";
import { linkSorts, linkStates, listedOptions } from "./names.ts";

const tags = `must have 1 to ${maxTagsOfLink} tags`;
/** One tag or several, all of which a link must have. */
const tagFilter = z
  .union([tagInput, z.array(tagInput).min(1, tags).max(maxTagsOfLink, tags)], {
    error: "must be the name of a tag, or a list of names",
  })
  .transform((tagOrTags) => [tagOrTags].flat())
  .describe("Links with this tag; if it is repeated, with all of these tags");

/** What selects links of an account, wherever they are listed. All conditions must hold. */
export const filterFields = {
  search: textUpTo(maxDestinationLength)
    .refine(isPlain, notPlain)
    .describe(
      "Part of the slug, title or destination, case-insensitive, or a short URL; no character has a special meaning",
    )
    .optional(),
  domain: line(253).describe("Links served on this host").optional(),
  state: oneOf(linkStates)
    .describe(
      "Every link is in one state: inactive if it is switched off, or disabled by the operator; else scheduled before its starts_at; else expired after its expires_at; else used_up if it has as many clicks as its click_limit; else active",
    )
    .optional(),
  has: oneOf(listedOptions)
    .describe(
      "Links with a password, with rules (rules or geo_rules), with an A/B test, with a preview of their own, or with a click_limit",
    )
    .optional(),
  tag: tagFilter.optional(),
  health: oneOf(healthStatuses)
    .describe("Links whose destination was found like this by the last check")
    .optional(),
  created_from: timeInput("Links created at this time or later").optional(),
  created_to: timeInput("Links created before this time").optional(),
  last_click_before: timeInput("Links without a click since this time, also those never clicked").optional(),
};

export const sortField = oneOf(linkSorts)
  .describe(
    "Order of the links, descending with a minus sign. Slugs are in the order of their code points; links without a click come as if clicked long ago",
  )
  .default("-created_at");
