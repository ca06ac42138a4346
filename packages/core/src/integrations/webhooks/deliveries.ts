import { accountProcedure } from "../../analytics/call.ts";
import * as z from "zod";
import { keptDays } from "../../outbox/event-types.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { findWebhook } from "./find.ts";
import { type Delivery, deliverySchema } from "./webhook.schema.ts";

interface Row extends Omit<Delivery, "event" | "at"> {
  type: Delivery["event"];
  at: string;
}

/** Lists what was sent to a webhook and what it answered, newest first. */
export const listDeliveries = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "GET",
      path: "/v1/webhooks/{id}/deliveries",
      tags: ["Webhooks"],
      summary: "List deliveries of a webhook",
      description: `Every attempt of the last ${keptDays} days.`,
      successDescription: "One page of deliveries, newest first",
      errors: [404],
    },
  })
  .input(pageInput("Deliveries", 20, { id: z.string() }))
  .output(pageOf(deliverySchema))
  .query(async ({ ctx, input: { id, page, limit } }) => {
    const { pool } = ctx.deps;
    await findWebhook(ctx.deps, ctx.account.id, id);
    const [{ rows }, counted] = await withListSlot(pool, ctx.account.id, () =>
      Promise.all([
        pool.query<Row>({
          name: "list-deliveries",
          text: `select id, event_id, type, at, attempt, ok, status, duration_ms, failure, answer
                 from webhook_deliveries where webhook_id = $1 order by id desc limit $2 offset $3`,
          values: [id, limit, (page - 1) * limit],
        }),
        pool.query<{ total: number }>({
          name: "count-deliveries",
          text: "select count(*)::int as total from webhook_deliveries where webhook_id = $1",
          values: [id],
        }),
      ]),
    );
    return {
      data: rows.map(({ type, at, ...row }) => ({ ...row, event: type, at: new Date(at).toISOString() })),
      meta: pageMeta(page, limit, counted.rows[0]?.total ?? 0),
    };
  });
