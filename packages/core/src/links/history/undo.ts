import * as z from "zod";
import { databaseOf } from "../../db/statements.ts";
import { claim, keep } from "../../idempotency/index.ts";
import { notFound } from "../../kernel/errors.ts";
import { accountProcedure, bulk, type Call } from "../../rpc/procedure.ts";
import { isId } from "../../validation/strings.ts";
import { changedMany } from "../bulk/selection.ts";
import { withBulkSlot } from "../bulk/slot.ts";
import { findLink } from "../find.ts";
import { linkSchema } from "../link.schema.ts";
import { toLink } from "../link.view.ts";
import { maxUndoneLinks, type Undone, undo } from "./undo-change.ts";

const deletedLink = z.object({ id: z.string(), deleted: z.literal(true) });

/** Undoes a change: an update sets the old values again, a deleted link comes back, a created one is deleted. */
export const undoChange = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/changes/{id}/undo",
      tags: ["History"],
      summary: "Undo a change",
      description: `Sets the fields of the change to what they were before. A deleted link comes back with its id, slug and clicks; a created one is deleted. Plan, quota, blocked hosts and loops are as in an update. If a later change touched the same field, or the slug is taken, the answer is 409. Of a change of many links, up to ${maxUndoneLinks.toLocaleString("en")}, those that cannot be changed back are in \`results\`. An undo is a change, too.`,
      successDescription: "The link as it is now; if many links were changed, how many were changed back",
      successMeta: z.object({ change_id: z.string() }).describe("The change that this undo is"),
      errors: [404, 409, 429],
    },
  })
  .use(bulk)
  .input(z.object({ id: z.string() }))
  .output(z.union([linkSchema, deletedLink, changedMany]))
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Change");
    return withBulkSlot(ctx.deps, ctx.account.id, () =>
      undo(ctx, id, {
        begin: (database) => claim(ctx, database),
        async end(em, undone) {
          ctx.reply.meta = { change_id: undone.change_id };
          const answer = await answerOf({ ...ctx, em }, undone);
          await keep(ctx, databaseOf(em), answer);
          return answer;
        },
      }),
    );
  });

async function answerOf(ctx: Call, { only, ...undone }: Undone) {
  if (only === null) return undone;
  if (only.kind === "remove") return { id: only.id, deleted: true as const };
  return toLink(ctx, await findLink(ctx, only.id));
}
