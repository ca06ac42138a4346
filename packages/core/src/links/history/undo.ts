import { accountProcedure, type Call } from "../call.ts";
import * as z from "zod";
import { databaseOf } from "../../db/statements.ts";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { notFound } from "../../kernel/errors.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { bulk } from "../../rpc/procedure.ts";
import { byId, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { changedMany } from "../bulk/selection.ts";
import { withBulkSlot } from "../bulk/slot.ts";
import { findLink } from "../find.ts";
import { type Link, linkSchema } from "../link.schema.ts";
import { toLinks } from "../link.view.ts";
import { changeBy } from "../../history/change.ts";
import { undo, type Undone } from "./undo-change.ts";
import { startUndo } from "./undo-job.ts";
import { changedIds } from "./undo-subjects.ts";

/** Links that are changed back in one transaction; a job changes more back. */
const maxUndoneLinks = 10_000;

/** Undoes a change: an update sets the old values again, a deleted link comes back, a created one is deleted. */
export const undoChange = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/changes/{id}/undo",
      tags: ["History"],
      summary: "Undo a change",
      description: `Sets the fields of the change to what they were before. A deleted link comes back with its id, slug and clicks; a created one is deleted. Plan, quota, blocked hosts and loops are as in an update. If a later change touched the same field, or the slug is taken, the answer is 409. Of a change of many links, those that cannot be changed back are in \`results\`; if there are more than ${maxUndoneLinks.toLocaleString("en")}, a job changes them back. An undo is a change, too.`,
      successDescription: "The link as it is now; if many links were changed, how many were changed back",
      acceptedDescription: "The job that undoes the change; its id is also that of the undo in the history",
      successMeta: z.object({ change_id: z.string() }).describe("The change that this undo is"),
      errors: [404, 409, 429],
    },
  })
  .use(bulk)
  .input(byId)
  .output(z.union([z.union([linkSchema, deletedSchema, changedMany]), jobStarted]))
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Change");
    return withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const ids = await changedIds(ctx.deps.pool, id, maxUndoneLinks + 1);
      if (ids.length > maxUndoneLinks) return startUndo(ctx, id);
      const change = { ...changeBy(ctx), undoes: id };
      return undo(
        ctx,
        { changeId: id, ids, change, isWhole: true },
        {
          begin: (database) => claim(ctx, database),
          async end(em, undone) {
            ctx.reply.meta = { change_id: undone.change_id };
            const answer = await answerOf({ ...ctx, em }, undone);
            await keep(ctx, databaseOf(em), answer);
            return answer;
          },
        },
      );
    });
  });

async function answerOf(ctx: Call, { only, ...undone }: Undone) {
  if (only === null) return undone;
  if (only.kind === "remove") return { id: only.id, deleted: true as const };
  const [link] = await toLinks(ctx, [await findLink(ctx, only.id)], databaseOf(ctx.em));
  return link as Link;
}
