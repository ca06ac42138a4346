import { type AccountCall, accountProcedure } from "../call.ts";
import type { Author } from "../../kernel/context.ts";
import type { LinkFilter } from "../list/filter.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { limitBulkCalls } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { authorOf, changeBy } from "../../history/change.ts";
import { withoutSecrets } from "../options.ts";
import { changeFields } from "../link.schema.ts";
import { changesIn } from "../update.ts";
import {
  type ChangedMany,
  changedMany,
  choice,
  dryRunInput,
  exampleIds,
  requireSelection,
  retagFields,
  selectionFields,
} from "./bulk.schema.ts";
import { changeLinks, deleteMany, type Transaction } from "./change.ts";
import { selectedIds, startJob, withBulkSlot } from "./selection.ts";
import type { DeleteInput, UpdateInput } from "./jobs.ts";
import * as z from "zod";

const updateFields = requireSelection(
  fieldsOf({
    ...selectionFields,
    set: fieldsOf(changeFields).optional().describe("The changes, as in the update of one link"),
    ...retagFields,
    dry_run: dryRunInput,
  }),
);

/** Changes many links alike, each as `links.update` does: at once, or by a job if a filter finds more than a thousand. */
export const updateLinks = accountProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/links/bulk/update",
    tag: "Links",
    summary: "Change many links",
    description:
      "Links that cannot be changed are in `results`; all others change together. If a filter matches more than a thousand links, a job changes those that match now. Slugs cannot be set here, since each belongs to one link.",
    example: { ids: exampleIds, set: { is_active: 0 }, dry_run: true },
    eitherOf: choice,
    successDescription: "How many links were changed",
    acceptedDescription: "The job that changes the links; its id is also that of the change in the history",
    errors: [429],
  })
  .use(limitBulkCalls)
  .input(updateFields)
  .output(z.union([changedMany, jobStarted]))
  .mutation(({ ctx, input: { set = {}, add_tags, remove_tags, dry_run, ...selection } }) => {
    const jobInput = async (by: Author): Promise<UpdateInput> => {
      const { remaining, hashed } = await withoutSecrets(ctx, set);
      return { set: remaining, hashed, add_tags, remove_tags, dry_run, by };
    };
    return changeSelected(ctx, selection, { kind: "links.update", jobInput }, (ids, transaction) => {
      const wanted = { set, add_tags, remove_tags, columns: () => changesIn(ctx, set) };
      return changeLinks(ctx, ids, wanted, transaction, dry_run);
    });
  });

/** Deletes many links, each as `links.delete` does: at once, or by a job if a filter finds more than a thousand. */
export const deleteLinks = accountProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/links/bulk/delete",
    tag: "Links",
    summary: "Delete many links",
    description:
      "Their slugs are free at once. Ids without a link in the account are in `results`. If a filter matches more than a thousand links, a job deletes those that match now.",
    example: { ids: exampleIds, dry_run: true },
    eitherOf: choice,
    successDescription: "How many links were deleted",
    acceptedDescription: "The job that deletes the links; its id is also that of the change in the history",
    errors: [429],
  })
  .use(limitBulkCalls)
  .input(requireSelection(fieldsOf({ ...selectionFields, dry_run: dryRunInput })))
  .output(z.union([changedMany, jobStarted]))
  .mutation(({ ctx, input: { dry_run, ...selection } }) => {
    const jobInput = async (by: Author): Promise<DeleteInput> => ({ dry_run, by });
    return changeSelected(ctx, selection, { kind: "links.delete", jobInput }, (ids, transaction) =>
      deleteMany(ctx, ids, transaction, dry_run),
    );
  });

/** Changes the selected links at once, or by a job if there are too many. */
const changeSelected = (
  ctx: AccountCall,
  { ids, filter = {} }: { ids?: readonly string[] | undefined; filter?: LinkFilter | undefined },
  { kind, jobInput }: { kind: string; jobInput: (by: Author) => Promise<object> },
  change: (ids: readonly string[], transaction: Transaction) => Promise<ChangedMany>,
) =>
  withBulkSlot(ctx.deps, ctx.account.id, async () => {
    const selected = ids ?? (await selectedIds(ctx, filter));
    if (selected === null) return startJob(ctx, filter, kind, await jobInput(authorOf(ctx.actor)));
    return change(selected, { change: changeBy(ctx) });
  });
