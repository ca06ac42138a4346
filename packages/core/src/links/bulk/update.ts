import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { bulk } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { authorOf, changeBy } from "../../history/change.ts";
import { withoutSecrets } from "../options.ts";
import { changeFields, changesIn } from "../update.ts";
import { choice, chosenFields, demandChoice, dryRunInput, exampleIds } from "./bulk.input.ts";
import { changeLinks, type Transaction } from "./change.ts";
import { chosenIds, startJob } from "./chosen.ts";
import type { UpdateInput } from "./jobs.ts";
import { retagFields } from "./retag.ts";
import { changedMany } from "./selection.ts";
import { withBulkSlot } from "./slot.ts";

const fields = demandChoice(
  fieldsOf({
    ...chosenFields,
    set: fieldsOf(changeFields).optional().describe("What changes, as in the update of one link"),
    ...retagFields,
    dry_run: dryRunInput,
  }),
);

/** Changes many links alike, each as `links.update` does: at once, or by a job if a filter finds more than a thousand. */
export const updateLinks = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links/bulk/update",
      tags: ["Links"],
      summary: "Change many links",
      description:
        "Links that cannot be changed are in `results`; all others change together. If a filter finds more than a thousand links, a job changes them, those that it finds now. A slug belongs to one link, so it cannot be set here.",
      example: { ids: exampleIds, set: { is_active: 0 }, dry_run: true },
      eitherOf: choice,
      successDescription: "How many links were changed",
      acceptedDescription: "The job that changes the links; its id is also that of the change in the history",
      errors: [429],
    },
  })
  .use(bulk)
  .input(fields)
  .output(z.union([changedMany, jobStarted]))
  .mutation(({ ctx, input: { set = {}, add_tags, remove_tags, dry_run, ...chosen } }) =>
    withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const ids = await chosenIds(ctx, chosen);
      if (ids === null) {
        const { rest, hashed } = await withoutSecrets(ctx, set);
        const by = authorOf(ctx.actor);
        const input: UpdateInput = { set: rest, hashed, add_tags, remove_tags, dry_run, by };
        return startJob(ctx, chosen.filter ?? {}, "links.update", input);
      }
      const transaction: Transaction = {
        change: changeBy(ctx),
        begin: (database) => claim(ctx, database),
        end: (database, answer) => keep(ctx, database, answer),
      };
      const wanted = { set, add_tags, remove_tags, columns: () => changesIn(ctx, set) };
      return changeLinks(ctx, ids, wanted, transaction, dry_run);
    }),
  );
