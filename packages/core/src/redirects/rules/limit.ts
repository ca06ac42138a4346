import * as z from "zod";
import { whole } from "../../kernel/validation/inputs.ts";
import { integer } from "./columns.ts";
import { defineOption, passed } from "./rule.ts";

const maxClickLimit = 1_000_000_000;

/**
 * A link works for a number of clicks. This rule refuses when all are taken; a person who follows the link takes one afterwards,
 * see redirects/limited.ts.
 */
export const limit = defineOption({
  name: "used_up",
  column: "click_limit",
  type: integer,
  input: {
    name: "click_limit",
    schema: whole(1, maxClickLimit)
      .describe(
        "After this many clicks the link answers 410. Exact; bots, previews and HEAD requests take none. Needs the Pro plan",
      )
      .nullish(),
  },
  output: { name: "click_limit", schema: z.int().min(1).nullable() },
  feature: "link_options",
  toValue: (input) => input,
  toOutput: (value) => value,
  isUnchanged: (input, stored) => input === stored,
  urlsIn: () => [],
  needsDecision: (clicks) => clicks !== null,
  decide: async (_, { isUsedUp }) => ((await isUsedUp()) ? { kind: "gone", reason: "used_up" } : passed),
  sentence: (clicks, verdict) =>
    verdict.kind === "passed"
      ? `It works for ${clicks === 1 ? "1 click, which is" : `${clicks} clicks, which are`} not used up.`
      : `The number of clicks for which it works, ${clicks}, is used up.`,
});
