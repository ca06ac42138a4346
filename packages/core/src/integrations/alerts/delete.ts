import { accountProcedure } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";

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
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const { rows } = await deps.pool.query<{ name: string }>({
      name: "delete-alert",
      text: "delete from alerts where id = $1 and account_id = $2 returning name",
      values: [idOrNull(id), account.id],
    });
    if (!rows[0]) throw notFound("Alert");
    await recordActivity(deps, actorOf(ctx), "alert_deleted", rows[0].name);
    return { id, deleted: true as const };
  });
