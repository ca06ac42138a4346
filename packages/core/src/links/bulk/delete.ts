import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { bulk } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { authorOf, changeBy } from "../../history/change.ts";
import { choice, chosenFields, demandChoice, dryRunInput, exampleIds } from "./bulk.input.ts";
import { chosenIds, startJob } from "./chosen.ts";
import type { DeleteInput } from "./jobs.ts";
import type { Transaction } from "./change.ts";
import { deleteMany } from "./remove.ts";
import { changedMany } from "./selection.ts";
import { withBulkSlot } from "./slot.ts";

/** Deletes many links, each as `links.delete` does: at once, or by a job if a filter finds more than a thousand. */
export const deleteLinks = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links/bulk/delete",
      tags: ["Links"],
      summary: "Delete many links",
      description:
        "Their slugs are free at once. An id that is not a link of the account is in `results`. If a filter finds more than a thousand links, a job deletes them, those that it finds now.",
      example: { ids: exampleIds, dry_run: true },
      eitherOf: choice,
      successDescription: "How many links were deleted",
      acceptedDescription: "The job that deletes the links; its id is also that of the change in the history",
      errors: [429],
    },
  })
  .use(bulk)
  .input(demandChoice(fieldsOf({ ...chosenFields, dry_run: dryRunInput })))
  .output(z.union([changedMany, jobStarted]))
  .mutation(({ ctx, input: { dry_run, ...chosen } }) =>
    withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const ids = await chosenIds(ctx, chosen);
      if (ids === null) {
        const input: DeleteInput = { dry_run, by: authorOf(ctx.actor) };
        return startJob(ctx, chosen.filter ?? {}, "links.delete", input);
      }
      const transaction: Transaction = {
        change: changeBy(ctx),
        begin: (database) => claim(ctx, database),
        end: (database, answer) => keep(ctx, database, answer),
      };
      return deleteMany(ctx, ids, transaction, dry_run);
    }),
  );
