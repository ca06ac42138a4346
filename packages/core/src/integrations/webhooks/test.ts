import { requires } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { runIdempotently } from "../../rpc/idempotency/once.ts";
import { creation } from "../../rpc/procedure.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { deliver, record } from "./delivery/attempt.ts";
import { messageOf } from "./delivery/message.ts";
import { readReceiver } from "./delivery/receiver-row.ts";
import { findWebhook, webhookNotFound } from "./find.ts";
import { deliverySchema } from "./webhook.schema.ts";

/** Sends a webhook an event of its own, also while it is switched off, and waits for the answer. Counts as one creation. */
export const testWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    openapi: {
      method: "POST",
      path: "/v1/webhooks/{id}/test",
      tags: ["Webhooks"],
      summary: "Send a test event",
      description:
        "Sends the event `webhook.test` at once, also to a webhook that is switched off, and waits up to ten seconds for the answer. It is not tried again.",
      successDescription: "What the webhook answered",
      errors: [404, 429],
    },
  })
  .use(creation)
  .input(byId)
  .output(deliverySchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const { url } = await findWebhook(deps, account.id, id);
    ctx.charge();
    const receiver = await readReceiver(deps, id);
    if (!receiver) throw webhookNotFound();
    const message = messageOf({ type: "webhook.test", at: deps.clock(), data: { webhook_id: id } });
    const event = { id: deps.newId(), type: "webhook.test", body: message, attempt: 1 } as const;
    const delivery = await deliver(deps, receiver, event);
    // Not before: no connection should wait for the webhook's answer.
    await runIdempotently(ctx, async (database) => {
      await record(database, receiver.id, delivery);
      return delivery;
    });
    await recordActivity(deps, actorOf(ctx), "webhook_tested", new URL(url).host);
    return delivery;
  });
