import { accountProcedure } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";

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
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const { rows } = await deps.pool.query<{ name: string }>({
      name: "delete-shared-report",
      text: "delete from shared_reports where id = $1 and account_id = $2 returning name",
      values: [idOrNull(id), account.id],
    });
    if (!rows[0]) throw notFound("Shared report");
    await recordActivity(deps, actorOf(ctx), "report_revoked", rows[0].name);
    return { id, deleted: true as const };
  });
