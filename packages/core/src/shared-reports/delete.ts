import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { byId, deletedSchema, idOrNull } from "../validation/ids.ts";

/** Deletes a shared report; its address never works again. */
export const deleteSharedReport = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/shared-reports/{id}",
      tags: ["Analytics"],
      summary: "Delete a shared report",
      description: "Its address never works again.",
      successDescription: "The shared report was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx: { deps, account }, input: { id } }) => {
    const { rowCount } = await deps.pool.query({
      name: "delete-shared-report",
      text: "delete from shared_reports where id = $1 and account_id = $2",
      values: [idOrNull(id), account.id],
    });
    if (rowCount === 0) throw notFound("Shared report");
    return { id, deleted: true as const };
  });
