import { accountProcedure, type Call } from "./call.ts";
import * as z from "zod";
import { addedTo, assertNoLoops, type Destinations } from "../domains/redirect-loops.ts";
import { AppError } from "../kernel/errors.ts";
import { isActiveInput } from "../redirects/rules/availability.ts";
import { noRules, optionInputs } from "../redirects/rules/rules.ts";
import { urlInput } from "../redirects/destination.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { line } from "../kernel/validation/strings.ts";
import { explainVisit, explanationSchema, visitFields } from "./explain-visit.ts";
import { findLink } from "./find.ts";
import { tagsInput } from "./tags/tag.schema.ts";
import { notesInput, slugInput, titleInput } from "./link.input.ts";
import { demandOptions, destinationsOf, storedDestinationsOf, unhashedColumnsOf } from "./options.ts";
import { lookInput } from "./qr/look.ts";
import { refuseEndBeforeStart } from "./times.ts";

const maxVisits = 50;
const decidesNothing = "Accepted, so that the body of a creation can be sent; it does not decide anything";

const draftFields = fieldsOf({
  url: urlInput.optional().describe("Needed, unless id is given"),
  slug: slugInput.optional().describe(decidesNothing),
  title: titleInput.nullish().describe(decidesNothing),
  tags: tagsInput.nullish().describe(decidesNothing),
  notes: notesInput.nullish().describe(decidesNothing),
  qr: lookInput.nullish().describe(decidesNothing),
  domain: line(253).optional().describe(decidesNothing),
  is_active: isActiveInput.optional(),
  ...optionInputs,
});
type Draft = z.output<typeof draftFields>;

const fields = fieldsOf({
  id: z
    .string()
    .optional()
    .describe("A link that the draft changes: fields that the draft leaves out are the link's"),
  draft: draftFields.describe("The fields of a link as they would be sent to create it, or to update it"),
  visits: z
    .array(fieldsOf(visitFields))
    .min(1, "must have at least one visit")
    .max(maxVisits, `must have at most ${maxVisits} visits`)
    .default([{ unlocked: false }])
    .describe("The visits to explain; one by somebody of whom nothing is known, if missing"),
});

/** Explains what visitors would get if a link were saved like this. Refuses what saving would refuse; stores nothing. */
export const explainDraft = accountProcedure
  .meta({
    scope: "links:read",
    storesNothing: true,
    openapi: {
      method: "POST",
      path: "/v1/links/explain",
      tags: ["Links"],
      summary: "Explain where a link would lead",
      description:
        "What each visitor would get if the link were saved with these fields, at most 120 times a minute. URLs and options that could not be saved are refused in the same words. Nothing is stored or counted.",
      example: {
        draft: {
          url: "https://example.com/",
          geo_rules: [{ country: "DE", url: "https://example.com/de" }],
        },
        visits: [{ country: "DE" }, { country: "FR" }],
      },
      successDescription: "The outcomes and their reasons",
      errors: [404, 429],
    },
  })
  .input(fields)
  .output(z.object({ visits: z.array(explanationSchema).describe("In the order of the request") }))
  .mutation(async ({ ctx, input: { id, draft, visits } }) => {
    await ctx.deps.limits.take("link-explanation", ctx.account.id, ctx.reply);
    const link = await draftedLink(ctx, id, draft);
    return { visits: await Promise.all(visits.map((visit) => explainVisit(ctx.deps, link, visit))) };
  });

/** What would be stored. Throws what saving it would throw. */
async function draftedLink(ctx: Call & { account: { id: string } }, id: string | undefined, draft: Draft) {
  const stored = id === undefined ? undefined : await findLink(ctx, id);
  demandOptions(ctx, draft, stored);
  refuseEndBeforeStart(draft, stored);
  const destination = draft.url ?? stored?.destination;
  if (destination === undefined)
    throw new AppError("BAD_REQUEST", "draft.url: is required, unless id names a link");
  const urls = addedTo(stored ? storedDestinationsOf(stored) : [], destinationsOf(draft));
  const named: Destinations = urls.map(([field, url]) => [`draft.${field}`, url]);
  await assertNoLoops(ctx.deps, ctx.account.id, named);
  await assertNotBlocked(ctx.deps.screening, named);
  return {
    ...noRules,
    ...(stored ?? { id: ctx.deps.newId() }),
    ...(await unhashedColumnsOf(draft)),
    ...(draft.is_active !== undefined && { is_active: Boolean(draft.is_active) }),
    destination,
  };
}
