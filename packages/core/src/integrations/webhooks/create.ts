import { requires } from "../../analytics/call.ts";
import { recordActivity, actorOf } from "../../accounts/activity/record.ts";
import { createOne } from "../../rpc/idempotency/once.ts";
import { webhooksPerAccount } from "../../kernel/plans.ts";
import { creation } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { activeInput, eventsInput, newWebhookSchema, urlInput } from "./webhook.schema.ts";
import { refuseReceiver } from "./receiver.ts";
import { secretBytes, secretText } from "./secret.ts";
import { toWebhook, webhookColumns, type WebhookRow } from "./webhook.row.ts";

/** Creates a webhook, which is sent what happens from now on. Counts as one creation. */
export const createWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    hasSecret: true,
    openapi: {
      method: "POST",
      path: "/v1/webhooks",
      tags: ["Webhooks"],
      summary: "Create a webhook",
      description: `It is sent what happens from now on. An account has at most ${webhooksPerAccount} webhooks.`,
      example: { url: "https://example.com/hooks/terse", events: ["link.created", "link.clicked"] },
      successDescription: "The webhook and its secret, which is shown only once",
      successStatus: 201,
      errors: [429],
    },
  })
  .use(creation)
  .input(fieldsOf({ url: urlInput, events: eventsInput, active: activeInput.default(true) }))
  .output(newWebhookSchema)
  .mutation(async ({ ctx, input: { url, events, active } }) => {
    const { deps, account } = ctx;
    await refuseReceiver(deps, url);
    ctx.charge();
    const secret = deps.randomBytes(secretBytes);
    const limit = { most: webhooksPerAccount, things: "webhooks", verb: "create" };
    const created = await createOne(ctx, limit, async (database) => {
      const inserted = await database.query<WebhookRow>({
        name: "create-webhook",
        text: `insert into webhooks (id, account_id, url, events, active, secret, position, latest, next_at, created_at, updated_at)
               select $1, $2, $3, $4, $5, $6, last, last, $7, $7, $7 from webhook_log
               where (select count(*) from webhooks where account_id = $2) < ${webhooksPerAccount}
               returning ${webhookColumns}`,
        values: [deps.newId(), account.id, url, events, active, secret, deps.clock()],
      });
      const [row] = inserted.rows;
      return row && { ...toWebhook(row), secret: secretText(secret) };
    });
    await recordActivity(deps, actorOf(ctx), "webhook_created", new URL(url).host);
    return created;
  });
