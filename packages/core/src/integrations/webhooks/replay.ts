import { requires } from "../../analytics/call.ts";
import type { QueryConfig } from "pg";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { runIdempotently } from "../../rpc/idempotency/once.ts";
import { notFound, refusal } from "../../kernel/errors.ts";
import { limitCreations } from "../../rpc/procedure.ts";
import { keptDays } from "../../outbox/event-types.ts";
import { fieldsOf, timeInput } from "../../kernel/validation/inputs.ts";
import { webhooks } from "./webhook.row.ts";

/** Sends a webhook all events since a time again, including those it missed. Counts as one creation. */
export const replayWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    route: "POST /v1/webhooks/{id}/replay",
    tag: "Webhooks",
    summary: "Send events again",
    description: `Every event since \`from\` is delivered again, in order, with its original \`webhook-id\`. Events are kept for ${keptDays} days, and only if a webhook of the account was subscribed to them at the time.`,
    example: { from: "2027-01-31T12:00:00Z" },
    successDescription: "How many events are delivered again",
    errors: [404, 409, 429],
  })
  .use(limitCreations)
  .input(fieldsOf({ id: z.string(), from: timeInput("The time of the first event that is sent again") }))
  .output(z.object({ id: z.string(), events: z.int().min(0).describe("How many events are sent again") }))
  .mutation(async ({ ctx, input: { id, from } }) => {
    const { deps, account } = ctx;
    const { url, active, events } = await webhooks.find(ctx, id);
    if (!active)
      throw refusal(
        "CONFLICT",
        "",
        "inactive",
        "The webhook is switched off: set active to true before the replay",
        {
          resource: "webhook",
        },
      );
    ctx.charge();
    const replay: QueryConfig = {
      name: "replay-webhook",
      text: `with again as (
               select position from webhook_events
               where account_id = $2 and at >= $3 and type = any ($4) and position is not null
             ), moved as (
               update webhooks set
                 position = least(position, (select min(position) - 1 from again)),
                 delivered = '{}', attempts = 0, next_at = $5, lease = null, leased_until = null
               where id = $1 and account_id = $2 and active
               returning id
             )
             select (select count(*) from again)::int as events from moved`,
      values: [id, account.id, from, events, deps.clock()],
    };
    const replayed = await runIdempotently(ctx, async (database) => {
      const [row] = (await database.query<{ events: number }>(replay)).rows;
      return row && { id, events: row.events };
    });
    if (!replayed) throw notFound("Webhook");
    await recordActivity(deps, actorOf(ctx), "webhook_replayed", new URL(url).host, { id });
    return replayed;
  });
