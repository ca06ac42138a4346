import * as z from "zod";
import { text } from "./columns.ts";
import { urlInput } from "./inputs.ts";
import { defineOption, passed } from "./rule.ts";

/** Where visitors are sent while the link's own settings keep it from working, instead of a page that says so. */
export const fallback = defineOption({
  name: "fallback",
  column: "fallback_url",
  type: text,
  input: {
    name: "fallback_url",
    schema: urlInput
      .describe(
        "Where visitors are sent while the link is switched off, has not begun, has expired or is used up. Needs the Pro plan",
      )
      .nullish(),
  },
  output: { name: "fallback_url", schema: z.string().nullable() },
  feature: "link_options",
  toValue: (input) => input,
  toOutput: (value) => value,
  isUnchanged: (input, stored) => input === stored,
  urlsIn: (url) => [["fallback_url", url]],
  needsDecision: (url) => url !== null,
  decide: () => passed,
  instead(location, decision, { link_id }) {
    // Of the rules, only `starts_at` finds nothing.
    const isOwn =
      decision.kind === "not_found" || (decision.kind === "gone" && ownReasons.has(decision.reason));
    return isOwn ? { kind: "redirect", link_id, location, variant: null, counts_as: "fallback" } : null;
  },
  sentence: (url, verdict) =>
    verdict.kind === "passed"
      ? "It works, so its fallback URL is not used."
      : `Visitors are sent to its fallback URL, ${url}, instead.`,
});

/** What a link's owner decides. A link that the operator disabled or that leads to a blocked host has no fallback. */
const ownReasons: ReadonlySet<string> = new Set(["inactive", "expired", "used_up"]);
