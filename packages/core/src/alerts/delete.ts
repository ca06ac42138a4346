import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { byId, deletedSchema, idOrNull } from "../validation/ids.ts";

/** Deletes an alert. */
export const deleteAlert = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "DELETE",
      path: "/v1/alerts/{id}",
      tags: ["Webhooks"],
      summary: "Delete an alert",
      successDescription: "The alert was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx: { deps, account }, input: { id } }) => {
    const { rowCount } = await deps.pool.query({
      name: "delete-alert",
      text: "delete from alerts where id = $1 and account_id = $2",
      values: [idOrNull(id), account.id],
    });
    if (rowCount === 0) throw notFound("Alert");
    return { id, deleted: true as const };
  });
