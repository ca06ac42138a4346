import { type AccountCall, accountProcedure } from "../call.ts";
import type { PoolClient } from "pg";
import * as z from "zod";
import { inTransaction } from "../../db/transaction.ts";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { bulk } from "../../rpc/procedure.ts";
import { fieldsOf, oneOf } from "../../kernel/validation/inputs.ts";
import { demandRoomForTags } from "../tags/tagging.ts";
import { keyOfTag } from "../tags/tag.schema.ts";
import { newLinkFields } from "../new-link.ts";
import { bytesIn, chargeFor, checkLinks, foreseeRoom, makeRows, screenLinks } from "./accept.ts";
import type { Surroundings } from "./change.ts";
import { bulkOf, dryRunInput, maxBulkBytes } from "./bulk.input.ts";
import { foresee, insertAll, type Inserted } from "./insert-all.ts";
import { createdOrRefused, Outcome } from "./outcome.ts";
import { createdThen, type Past, setImportedClicks } from "./past.ts";
import { withBulkSlot } from "./selection.ts";

/** What is sent for a link is parsed one by one, so that a wrong one does not refuse the others. */
const { $schema: _, ...linkSchema } = z.toJSONSchema(newLinkFields, { io: "input" });
type Sent = z.input<typeof newLinkFields>;
const linkInput = z.unknown().meta(linkSchema) as unknown as z.ZodType<Sent, Sent>;

const fields = fieldsOf({
  links: bulkOf(linkInput).describe("What single creations would send"),
  on_error: oneOf(["continue", "stop"]).describe(
    "If a link is refused: `continue` creates the others, `stop` creates none",
  ),
  dry_run: dryRunInput,
});

const answer = z.object({
  created: z.int().min(0).describe("Links that were created; with `dry_run`, those that would be"),
  failed: z.int().min(0).describe("Links that were not"),
  retry_after: z
    .int()
    .optional()
    .describe("If links were refused because of a limit: in how many seconds they may be sent again"),
  results: z.array(createdOrRefused).describe("One for each link, in their order"),
});

/** Creates up to a thousand links, each as `links.create` does. */
export const createLinks = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links/bulk/create",
      tags: ["Links"],
      summary: "Create many links",
      description:
        "Each link counts as one creation, is checked as a single one, and is refused on its own. Beyond the rate limit the rest is refused with 429; if none is left, the whole request is.",
      example: {
        links: [{ url: "https://example.com/a" }, { url: "https://example.com/b" }],
        on_error: "stop",
      },
      maxBodyBytes: maxBulkBytes,
      successDescription: "What became of each link",
      successStatus: 201,
      errors: [429],
    },
  })
  .use(bulk)
  .input(fields)
  .output(answer)
  .mutation(({ ctx, input }) =>
    withBulkSlot(ctx.deps, ctx.account.id, () =>
      createMany(ctx, input, {
        begin: (database) => claim(ctx, database),
        end: (database, created) => keep(ctx, database, created),
      }),
    ),
  );

export type CreatedMany = z.output<typeof answer>;

interface Creating extends Surroundings<CreatedMany> {
  /** The past of the link with this place in `links` */
  pastOf?: (index: number) => Past;
}

/** Creates what can be created in one transaction, which `begin` and `end` are part of. */
export async function createMany(
  ctx: AccountCall,
  { links, on_error, dry_run }: z.output<typeof fields>,
  { begin, end, pastOf = () => ({}) }: Creating,
): Promise<CreatedMany> {
  const { deps, account } = ctx;
  const outcome = new Outcome(links.length, on_error);
  const checked = await checkLinks(ctx, links, outcome);
  if (dry_run) {
    const allowed = await screenLinks(ctx, checked, outcome);
    await foresee(deps, account.id, await foreseeRoom(ctx, allowed, outcome), outcome);
    return outcome.answer();
  }
  if (outcome.isStopped) return outcome.answer();
  const charged = await chargeFor(ctx, checked, on_error, outcome);
  const made = await makeRows(ctx, await screenLinks(ctx, charged, outcome), outcome);
  const accepted = createdThen(made, pastOf);
  let kept: Inserted[] = [];
  try {
    if (!outcome.isStopped) await inTransaction(deps.pool, insert);
  } finally {
    deps.storage.release(account.id, accepted.length - kept.length, bytesIn(accepted) - bytesIn(kept));
  }
  for (const { row } of kept) deps.invalidate(row);
  return outcome.answer();

  async function insert(database: PoolClient): Promise<boolean> {
    await begin(database);
    const names = new Map(
      accepted.flatMap(({ input }) => (input.tags ?? []).map((tag) => [keyOfTag(tag), tag])),
    );
    await demandRoomForTags(database, account.id, [...names.values()]);
    const inserted = await insertAll(deps, database, account.id, accepted, outcome);
    if (outcome.isStopped) return false;
    const totals = inserted.map(({ index, row }) => ({ id: row.id, ...pastOf(index) }));
    await setImportedClicks(database, account.id, totals);
    await end(database, outcome.answer());
    kept = inserted;
    return true;
  }
}
