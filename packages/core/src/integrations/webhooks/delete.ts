import { accountProcedure } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { byId, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";
import { webhookNotFound } from "./find.ts";

/** Deletes a webhook with the record of its deliveries. */
export const deleteWebhook = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "DELETE",
      path: "/v1/webhooks/{id}",
      tags: ["Webhooks"],
      summary: "Delete a webhook",
      successDescription: "The webhook was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const { rows } = await deps.pool.query<{ url: string }>({
      name: "delete-webhook",
      text: "delete from webhooks where id = $1 and account_id = $2 returning url",
      values: [idOrNull(id), account.id],
    });
    if (!rows[0]) throw webhookNotFound();
    await recordActivity(deps, actorOf(ctx), "webhook_deleted", new URL(rows[0].url).host);
    return { id, deleted: true as const };
  });
