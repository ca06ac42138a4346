import { notFound } from "../../kernel/errors.ts";
import { accountProcedure, bulk } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../validation/inputs.ts";
import { removeLinks } from "../delete.ts";
import { changeBy } from "../history/change.ts";
import { dryRunInput, exampleIds, idsInput } from "./bulk.input.ts";
import { changedMany, Selection } from "./selection.ts";
import { withBulkSlot } from "./slot.ts";

/** Deletes up to a thousand links, each as `links.delete` does. */
export const deleteLinks = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "POST",
      path: "/v1/links/bulk/delete",
      tags: ["Links"],
      summary: "Delete many links",
      description: "Their slugs are free at once. An id that is no link of the account is in `results`.",
      example: { ids: exampleIds, dry_run: true },
      successDescription: "How many links were deleted",
      errors: [429],
    },
  })
  .use(bulk)
  .input(fieldsOf({ ids: idsInput, dry_run: dryRunInput }))
  .output(changedMany)
  .mutation(({ ctx, input: { ids, dry_run } }) => {
    const { deps, account, em } = ctx;
    return withBulkSlot(deps, account.id, async () => {
      const selection = await Selection.of(em, ids, "unlocked");
      if (dry_run) return selection.answer();
      const chosen = selection.links.map(({ id }) => id);
      const change = changeBy(ctx);
      const deleted = await removeLinks(deps.pool, change, chosen, account.id);
      deps.storage.release(account.id, deleted.length);
      for (const link of deleted) deps.invalidate(link);
      const gone = new Set(deleted.map(({ id }) => id));
      await selection.check(({ id }) => {
        if (!gone.has(id)) throw notFound("Link");
      });
      return { ...selection.answer(), change_id: deleted.length > 0 ? change.id : null };
    });
  });
