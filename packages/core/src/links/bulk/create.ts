import * as z from "zod";
import { refusal } from "../../kernel/errors.ts";
import { fieldsOf, oneOf } from "../../kernel/validation/inputs.ts";
import { limitBulkCalls } from "../../rpc/procedure.ts";
import { acceptAll, checkAll, type CheckedLink, parseLinks, screenAll } from "../accept.ts";
import { type AccountCall, accountProcedure } from "../call.ts";
import type { HistoricLink } from "../import.types.ts";
import { setImportedClicks } from "../insert.ts";
import { newLinkFields } from "../link.schema.ts";
import { bulkOf, createdOrRefused, dryRunInput, maxBulkBytes } from "./bulk.schema.ts";
import type { Finish } from "./change.ts";
import { insertMany, previewInsertion } from "./insert-many.ts";
import { Outcome } from "./outcome.ts";
import { withBulkSlot } from "./selection.ts";

/** Links are parsed one by one, so that a wrong one does not refuse the others. */
const { $schema: _, ...linkSchema } = z.toJSONSchema(newLinkFields, { io: "input" });
type Sent = z.input<typeof newLinkFields>;
const linkInput = z.unknown().meta(linkSchema) as unknown as z.ZodType<Sent, Sent>;

const fields = fieldsOf({
  links: bulkOf(linkInput).describe("Each as for creating a single link"),
  on_error: oneOf(["continue", "stop"]).describe(
    "If a link is refused: `continue` creates the others, `stop` creates none",
  ),
  dry_run: dryRunInput,
});

const answer = z.object({
  created: z.int().min(0).describe("Links that were created; with `dry_run`, those that would be"),
  failed: z.int().min(0).describe("Links that were refused"),
  retry_after: z
    .int()
    .optional()
    .describe("If links were refused because of a limit: seconds until they can be sent again"),
  results: z.array(createdOrRefused).describe("One per link, in the same order"),
});

/** Creates up to a thousand links, each as `links.create` does. */
export const createLinks = accountProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/links/bulk/create",
    tag: "Links",
    summary: "Create many links",
    description:
      "Each link counts as one creation and is checked and refused on its own. Beyond the rate limit, the remaining links are refused with 429; if that is all of them, so is the request.",
    example: {
      links: [{ url: "https://example.com/a" }, { url: "https://example.com/b" }],
      on_error: "stop",
    },
    maxBodyBytes: maxBulkBytes,
    successDescription: "The outcome for each link",
    successStatus: 201,
    errors: [429],
  })
  .use(limitBulkCalls)
  .input(fields)
  .output(answer)
  .mutation(({ ctx, input }) =>
    withBulkSlot(ctx.deps, ctx.account.id, () =>
      createMany(ctx, { ...input, links: input.links.map((sent) => ({ fields: sent })) }),
    ),
  );

export type CreatedMany = z.output<typeof answer>;

interface Creation extends Omit<z.output<typeof fields>, "links"> {
  links: readonly HistoricLink[];
}

/** Creates all valid links in one transaction. */
export async function createMany(
  ctx: AccountCall,
  { links, on_error, dry_run }: Creation,
  finish?: Finish<CreatedMany>,
): Promise<CreatedMany> {
  const outcome = new Outcome(links.length, on_error);
  const { refuse } = outcome;
  const wanted = await checkAll(ctx, await parseLinks(ctx, links, refuse), refuse);
  if (dry_run) {
    await previewInsertion(ctx, await screenAll(ctx, wanted, refuse), outcome);
    return outcome.answer();
  }
  const charged = await chargeFor(ctx, wanted, outcome);
  const accepted = await acceptAll(ctx, await screenAll(ctx, charged, refuse), refuse);
  await insertMany(ctx, accepted, outcome, async (database, inserted) => {
    const totals = inserted.map(({ row, imported_clicks }) => ({ id: row.id, imported_clicks }));
    await setImportedClicks(database, ctx.account.id, totals);
    await finish?.(database, outcome.answer());
  });
  return outcome.answer();
}

/**
 * Counts the links as creations and refuses those beyond the limit. Throws 429 if none is left, or if not all are
 * although all or none is requested; 400 if there are more than the limit ever allows.
 */
async function chargeFor(ctx: AccountCall, links: CheckedLink[], outcome: Outcome): Promise<CheckedLink[]> {
  if (outcome.isStopped) return [];
  const { deps, account, reply } = ctx;
  const { link_creations_per_minute: limit } = deps.plans[account.plan].limits;
  const areTogether = outcome.onError === "stop";
  if (areTogether && links.length > limit) {
    const message = `${links.length} together are more than the ${limit} creations a minute of this plan; send fewer, or on_error "continue"`;
    const params = { max: limit, unit: "creations a minute", plan: account.plan };
    throw refusal("BAD_REQUEST", "links", "too_many", message, params);
  }
  const mode = areTogether ? "all or none" : "some";
  const { taken, refusal: exceeded } = await deps.creationLimit.takeMany(
    { account, reply },
    links.length,
    mode,
  );
  if (exceeded === null) return links;
  if (taken === 0) throw exceeded;
  return outcome.keepFirst(links, taken, exceeded);
}
