import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { textUpTo } from "../kernel/validation/strings.ts";
import { explainVisit, explanationSchema, visitFields } from "./explain-visit.ts";
import { findLink } from "./find.ts";
import { linkAt } from "./history/link-at.ts";

const { unlocked, ...visit } = visitFields;
const fields = z.object({
  id: z.string(),
  ...visit,
  visitor: textUpTo(100)
    .optional()
    .describe("Value of the visitor's cookie terse_visitor, which decides the variant of an A/B test"),
  unlocked,
});

/** Explains what a visitor of a link would get, and why. Counts nothing. */
export const explainLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/explain",
      tags: ["Links"],
      summary: "Explain where a link leads",
      description:
        "What a visitor would get, which rule decides, and why. Nothing is counted. At a time in the past, the link is taken as it was then, as far as its changes are kept; `reasons` says so if it was different.",
      successDescription: "The outcome and its reasons",
      errors: [404],
    },
  })
  .input(fields)
  .output(explanationSchema)
  .query(async ({ ctx, input: { id, ...visitor } }) => {
    const { link, reasons } = await linkAt(ctx, await findLink(ctx, id), visitor.at);
    const explanation = await explainVisit(ctx.deps, link, visitor);
    return { ...explanation, reasons: [...reasons, ...explanation.reasons] };
  });
