import { maxDestinationLength, timeInput } from "../redirects/index.ts";
import { oneOf } from "../validation/inputs.ts";
import { isPlain, line, notPlain, textUpTo } from "../validation/strings.ts";

/** What selects links of an account, wherever they are listed. All conditions must hold. */
export const filterFields = {
  search: textUpTo(maxDestinationLength)
    .refine(isPlain, notPlain)
    .describe("Part of the slug, title or destination, case-insensitive; no character has a special meaning")
    .optional(),
  domain: line(253).describe("Links served on this host").optional(),
  state: oneOf(["active", "inactive", "expired"])
    .describe(
      "Every link is in one state: inactive if it is switched off, or disabled by the operator; else expired after its expires_at; else active",
    )
    .optional(),
  has: oneOf(["password", "rules", "ab_test", "preview"])
    .describe(
      "Links with a password, with rules (rules or geo_rules), with an A/B test, or with a preview of their own",
    )
    .optional(),
  created_from: timeInput("Links created at this time or later").optional(),
  created_to: timeInput("Links created before this time").optional(),
  last_click_before: timeInput("Links without a click since this time, also those never clicked").optional(),
};

const sortColumns = ["created_at", "updated_at", "click_count", "last_click_at", "slug"] as const;
type SortColumn = (typeof sortColumns)[number];
export type Sort = SortColumn | `-${SortColumn}`;

export const sortField = oneOf(sortColumns.flatMap((column): Sort[] => [column, `-${column}`]))
  .describe(
    "Order of the links, descending with a minus sign. Slugs are in the order of their code points; links without a click come as if clicked long ago",
  )
  .default("-created_at");
