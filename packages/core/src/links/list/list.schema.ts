import * as z from "zod";
import { healthStatuses } from "../../safety/health/verdict.ts";
import { maxDestinationLength } from "../../redirects/destination.ts";
import { oneOf, timeInput } from "../../kernel/validation/inputs.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { refused } from "../../kernel/validation/issues.ts";
import { maxTagsOfLink, tagInput } from "../tags/tag.schema.ts";
import { line, plain, textUpTo } from "../../kernel/validation/strings.ts";
import { linkSorts, linkStates, listedOptions, makerWords } from "./names.ts";

const tags = `must have 1 to ${maxTagsOfLink} tags`;
/** One tag or several, all of which a link must have. */
const tagFilter = z
  .union([tagInput, z.array(tagInput).min(1, tags).max(maxTagsOfLink, tags)], {
    error: "must be the name of a tag, or a list of names",
  })
  .transform((tagOrTags) => [tagOrTags].flat())
  .describe("Links with this tag; if repeated, with all of the tags");

/** The filter of an account's links, wherever they are listed. All conditions must hold. */
export const filterFields = {
  search: textUpTo(maxDestinationLength)
    .superRefine(plain())
    .describe(
      "Part of the slug, title or destination, case-insensitive, or a short URL; no character has a special meaning",
    )
    .optional(),
  domain: line(253).describe("Links served on this host").optional(),
  state: oneOf(linkStates)
    .describe(
      "Every link is in one state: inactive if it is switched off or disabled by the operator; otherwise scheduled before its starts_at, expired after its expires_at, used_up once it has reached its click_limit, or active",
    )
    .optional(),
  has: oneOf(listedOptions)
    .describe(
      "Links with a password, with rules (rules or geo_rules), with an A/B test, with their own preview, or with a click_limit",
    )
    .optional(),
  tag: tagFilter.optional(),
  health: oneOf(healthStatuses).describe("Links by the result of their destination's last check").optional(),
  created_by: z
    .string()
    .refine(
      (text) => isId(text) || makerWords.some((word) => word === text),
      refused("invalid_choice", `must be ${makerWords.join(", ")} or the id of a person`, {
        choices: [...makerWords],
      }),
    )
    .meta({
      description:
        "Links made by the caller (me), by people who have left the workspace (left), or by the person with this id",
      examples: ["me"],
    })
    .optional(),
  created_from: timeInput("Links created at this time or later").optional(),
  created_to: timeInput("Links created before this time").optional(),
  last_click_before: timeInput(
    "Links without a click since this time, including those never clicked",
  ).optional(),
};

export const sortField = oneOf(linkSorts)
  .describe(
    "Order of the links; a minus sign means descending. Slugs sort by code point; links without a click sort as if clicked long ago",
  )
  .default("-created_at");
