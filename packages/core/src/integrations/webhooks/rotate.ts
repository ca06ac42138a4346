import { requires } from "../../analytics/call.ts";
import type { QueryConfig } from "pg";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { runIdempotently } from "../../rpc/idempotency/once.ts";
import { hourMs } from "../../kernel/time.ts";
import { fieldsOf, whole } from "../../kernel/validation/inputs.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { webhookNotFound } from "./find.ts";
import { secretBytes, secretText } from "./secret.ts";
import { toWebhook, webhookColumns, type WebhookRow } from "./webhook.row.ts";
import { newWebhookSchema } from "./webhook.schema.ts";

const maxOverlapHours = 7 * 24;

/** Replaces a webhook's secret. During the overlap, every delivery is signed with both. */
export const rotateSecret = requires("webhooks")
  .meta({
    scope: "webhooks",
    hasSecret: true,
    openapi: {
      method: "POST",
      path: "/v1/webhooks/{id}/rotate",
      tags: ["Webhooks"],
      summary: "Replace a webhook's secret",
      description:
        "For `overlap_hours`, deliveries have two signatures: with the new secret and with the one before.",
      successDescription: "The webhook and its new secret, which is shown only once",
      errors: [404],
    },
  })
  .input(
    fieldsOf({
      id: z.string(),
      overlap_hours: whole(0, maxOverlapHours)
        .default(24)
        .describe("How long deliveries are signed with the old secret too; 0 ends that at once"),
    }),
  )
  .output(newWebhookSchema)
  .mutation(async ({ ctx, input: { id, overlap_hours } }) => {
    const { deps, account } = ctx;
    const now = deps.clock();
    const secret = deps.randomBytes(secretBytes);
    const rotate: QueryConfig = {
      name: "rotate-webhook-secret",
      text: `update webhooks set secret = $3, updated_at = $4,
               old_secret = case when $5::timestamptz > $4 then secret end,
               old_secret_until = case when $5::timestamptz > $4 then $5::timestamptz end
             where id = $1 and account_id = $2 returning ${webhookColumns}`,
      values: [idOrNull(id), account.id, secret, now, new Date(now.getTime() + overlap_hours * hourMs)],
    };
    const rotated = await runIdempotently(ctx, async (database) => {
      const [row] = (await database.query<WebhookRow>(rotate)).rows;
      return row && { ...toWebhook(row), secret: secretText(secret) };
    });
    if (!rotated) throw webhookNotFound();
    await recordActivity(deps, actorOf(ctx), "webhook_secret_replaced", new URL(rotated.url).host);
    return rotated;
  });
