import { requires } from "../../analytics/call.ts";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { changesOf } from "../../kernel/validation/inputs.ts";
import { findWebhook, webhookNotFound } from "./find.ts";
import { refuseReceiver } from "./receiver.ts";
import { toWebhook, webhookColumns, type WebhookRow } from "./webhook.row.ts";
import { activeInput, eventsInput, urlInput, webhookSchema } from "./webhook.schema.ts";

const fields = changesOf(
  {
    id: z.string(),
    url: urlInput.optional(),
    events: eventsInput.optional(),
    active: activeInput.optional(),
  },
  webhookSchema,
);

/**
 * Changes the given fields. A webhook that is switched on again is sent what happens from then on. A failed delivery is tried
 * again at once. A delivery that is under way ends with the old settings, and may be made again with the new ones.
 */
export const updateWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    openapi: {
      method: "PATCH",
      path: "/v1/webhooks/{id}",
      tags: ["Webhooks"],
      summary: "Update a webhook",
      example: { active: false },
      description:
        "Only the given fields change. A failed delivery is tried again at once. A webhook that is switched on again is sent what happens from then on; `replay` sends what it missed.",
      successDescription: "The updated webhook",
      errors: [404],
    },
  })
  .input(fields)
  .output(webhookSchema)
  .mutation(async ({ ctx, input: { id, url, events, active } }) => {
    const { deps, account } = ctx;
    const before = await findWebhook(deps, account.id, id);
    if (url !== undefined && url !== before.url) await refuseReceiver(deps, url);
    const { rows } = await deps.pool.query<WebhookRow>({
      name: "update-webhook",
      text: `update webhooks set
               url = coalesce($3, url), events = coalesce($4, events), active = coalesce($5, active),
               inactive_reason = case when $5 is null then inactive_reason end,
               position = case when $5 and not active then (select last from webhook_log) else position end,
               latest = case when $5 and not active then (select last from webhook_log) else latest end,
               delivered = case when $5 and not active then '{}' else delivered end,
               failing_since = case when $5 is null then failing_since end,
               attempts = 0, next_at = $6, lease = null, leased_until = null, updated_at = $6
             where id = $1 and account_id = $2
             returning ${webhookColumns}`,
      values: [id, account.id, url ?? null, events ?? null, active ?? null, deps.clock()],
    });
    if (!rows[0]) throw webhookNotFound();
    const [host, after] = [new URL(before.url).host, new URL(rows[0].url).host];
    const about = host === after ? host : `${host} to ${after}`;
    await recordActivity(deps, actorOf(ctx), "webhook_changed", about);
    return toWebhook(rows[0]);
  });
