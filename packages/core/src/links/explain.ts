import { type AccountCall, accountProcedure, type Call } from "./call.ts";
import * as z from "zod";
import { line, textUpTo } from "../kernel/validation/strings.ts";
import { explainVisit, explanationSchema, visitFields } from "./explain-visit.ts";
import { findLink } from "./link.row.ts";
import { addedTo, assertNoLoops, type Destinations } from "../domains/redirect-loops.ts";
import { checkEach, refusal } from "../kernel/errors.ts";
import { isActiveInput } from "../redirects/rules/availability.ts";
import { noRules, optionInputs } from "../redirects/rules/rules.ts";
import { urlInput } from "../redirects/destination.ts";
import { assertNotBlocked } from "../safety/screening/screening.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { tagsInput } from "./tags/tag.schema.ts";
import { notesInput, slugInput, titleInput } from "./link.schema.ts";
import {
  assertEndsAfterStart,
  destinationsOf,
  requireOptions,
  storedDestinationsOf,
  unhashedColumnsOf,
} from "./options.ts";
import { lookInput } from "./qr/qr.schema.ts";
import { isDeepStrictEqual } from "node:util";
import { linksAt, ownColumns, readColumns } from "./history/change.view.ts";
import { completeSince } from "../history/trim.ts";

const { unlocked, ...assumptions } = visitFields;
const explainFields = z.object({
  id: z.string(),
  ...assumptions,
  visitor: textUpTo(100)
    .optional()
    .describe("Value of the visitor's cookie terse_visitor, which decides the variant of an A/B test"),
  unlocked,
});

/** Explains what a visitor of a link would get, and why. Counts nothing. */
export const explainLink = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links/{id}/explain",
    tag: "Links",
    summary: "Explain where a link leads",
    description:
      "What a visitor would get, which rule decides, and why. Nothing is counted. For a time in the past, the link is evaluated as it was then, if its history goes back that far; `reasons` says so if it was different.",
    successDescription: "The outcome and its reasons",
    errors: [404],
  })
  .input(explainFields)
  .output(explanationSchema)
  .query(async ({ ctx, input: { id, ...visitor } }) => {
    const { link, reasons } = await linkAt(ctx, await findLink(ctx, id), visitor.at);
    const explanation = await explainVisit(ctx.deps, link, visitor);
    return { ...explanation, reasons: [...reasons, ...explanation.reasons] };
  });

const maxVisits = 50;
const decidesNothing = "Accepted so that the body of a creation can be sent as is; has no effect";

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

const explainDraftFields = fieldsOf({
  id: z.string().optional().describe("The link to change: fields missing from the draft stay as they are"),
  draft: draftFields.describe("The fields of a link as they would be sent to create it, or to update it"),
  visits: z
    .array(fieldsOf(visitFields))
    .min(1, "must have at least one visit")
    .max(maxVisits, `must have at most ${maxVisits} visits`)
    .default([{ unlocked: false }])
    .describe("The visits to explain; default: one visitor with nothing known about them"),
});

/** Explains what visitors would get if a link were saved like this. Refuses whatever saving would refuse; stores nothing. */
export const explainDraft = accountProcedure
  .meta({
    scope: "links:read",
    storesNothing: true,
    route: "POST /v1/links/explain",
    tag: "Links",
    summary: "Explain where a link would lead",
    description:
      "What each visitor would get if the link were saved with these fields, at most 120 times a minute. URLs and options that could not be saved are refused with the same errors. Nothing is stored or counted.",
    example: {
      draft: {
        url: "https://example.com/",
        geo_rules: [{ country: "DE", url: "https://example.com/de" }],
      },
      visits: [{ country: "DE" }, { country: "FR" }],
    },
    successDescription: "The outcomes and their reasons",
    errors: [404, 429],
  })
  .input(explainDraftFields)
  .output(z.object({ visits: z.array(explanationSchema).describe("In the order of the request") }))
  .mutation(async ({ ctx, input: { id, draft, visits } }) => {
    await ctx.deps.limits.take("link-explanation", ctx.account.id, ctx.reply);
    const link = await draftedLink(ctx, id, draft);
    return { visits: await Promise.all(visits.map((visit) => explainVisit(ctx.deps, link, visit))) };
  });

/** The columns that would be stored. Throws what saving would throw. */
async function draftedLink(ctx: Call & { account: { id: string } }, id: string | undefined, draft: Draft) {
  const stored = id === undefined ? undefined : await findLink(ctx, id);
  const destination = draft.url ?? stored?.destination;
  const urls = addedTo(stored ? storedDestinationsOf(stored) : [], destinationsOf(draft));
  const named: Destinations = urls.map(([field, url]) => [`draft.${field}`, url]);
  await checkEach(
    () => requireOptions(ctx, draft, stored),
    () => assertEndsAfterStart(draft, stored),
    () => {
      if (destination !== undefined) return;
      const params = { fields: ["draft.url", "id"] };
      throw refusal("BAD_REQUEST", "draft.url", "required", "is required, unless id names a link", params);
    },
    () => assertNoLoops(ctx.deps, ctx.account.id, named),
    () => assertNotBlocked(ctx.deps.screening, named),
  );
  return {
    ...noRules,
    ...(stored ?? { id: ctx.deps.newId() }),
    ...(await unhashedColumnsOf(draft)),
    ...(draft.is_active !== undefined && { is_active: Boolean(draft.is_active) }),
    destination: destination as string,
  };
}

type StoredLink = Awaited<ReturnType<typeof findLink>>;

/** A link of the account as it was at a time, with sentences about that. */
async function linkAt(
  { deps, account }: AccountCall,
  link: StoredLink,
  at: Date | undefined,
): Promise<{ link: StoredLink; reasons: string[] }> {
  if (at === undefined || at >= deps.clock()) return { link, reasons: [] };
  const columns = (await linksAt(deps.pool, [link.id], at)).get(link.id) ?? {};
  const decisive = ["disabled_at", ...ownColumns];
  const then = Object.fromEntries(
    Object.entries(readColumns(columns)).filter(([column]) => decisive.includes(column)),
  );
  const past: StoredLink = { ...link, ...then };
  const reasons: string[] = [];
  const isDifferent = decisive.some(
    (column) => !isDeepStrictEqual(valueOf(link, column), valueOf(past, column)),
  );
  if (at < link.created_at) {
    reasons.push(`The link did not exist yet: it was created at ${link.created_at.toISOString()}.`);
    if (isDifferent) reasons.push("It was changed since then; this is how it was created.");
    return { link: past, reasons };
  }
  if (isDifferent) reasons.push("The link was changed since then; this is how it was.");
  const since = await completeSince(deps, account.id);
  if (at < since && link.updated_at > at) {
    reasons.push(`Changes before ${since.toISOString()} are not kept, so it may have been different.`);
  }
  return { link: past, reasons };
}

const valueOf = (link: StoredLink, column: string) => link[column as keyof StoredLink] ?? null;
