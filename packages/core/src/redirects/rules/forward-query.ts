import * as z from "zod";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { maxForwarded, type QueryMode, queryModes, withQuery } from "../forward.ts";
import { text } from "./columns.ts";
import { defineOption, passed } from "./rule.ts";

/** The query of a visit is added to where the link leads. */
export const forwardQuery = defineOption({
  name: "forward_query",
  column: "forward_query",
  type: text,
  input: {
    name: "forward_query",
    schema: oneOf(queryModes)
      .describe(
        "Adds the query of a visit to where the link leads. Where both have a parameter, keep takes the destination's and override the visit's; none by default",
      )
      .nullish(),
  },
  output: { name: "forward_query", schema: z.enum(queryModes) },
  feature: null,
  toValue: (mode) => (mode === "none" ? null : mode),
  toOutput: (mode) => (mode as QueryMode | null) ?? "none",
  isUnchanged: (input, stored) => input === (stored ?? "none"),
  urlsIn: () => [],
  needsDecision: (mode) => mode !== null,
  decidesAtOnce: true,
  decide: () => passed,
  reshape(mode, redirect, { visitor }) {
    const location = withQuery(redirect.location, visitor.query?.() ?? "", mode as QueryMode);
    return location === null ? redirect : { ...redirect, location };
  },
  sentence(mode, _, { visit }) {
    if (withQuery("", visit.visitor.query?.() ?? "", mode as QueryMode) === null)
      return `The query of the visit has more than ${maxForwarded} characters and is left out.`;
    const winner = mode === "keep" ? "destination's" : "visit's";
    return `The query of the visit is added; where both have a parameter, the ${winner} remains.`;
  },
});
