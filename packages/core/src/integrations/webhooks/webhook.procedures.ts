import { raw } from "@mikro-orm/core";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { accountProcedure, type AnalyticsDeps, requires } from "../../analytics/call.ts";
import { assertNotOwnHost } from "../../domains/redirect-loops.ts";
import { makerOf } from "../../kernel/context.ts";
import { refusal } from "../../kernel/errors.ts";
import { webhooksPerAccount } from "../../kernel/plans.ts";
import { hourMs } from "../../kernel/time.ts";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { changesOf, fieldsOf, noFields, whole } from "../../kernel/validation/inputs.ts";
import { pageInput, pageOf } from "../../kernel/validation/pagination.ts";
import { shown } from "../../kernel/validation/strings.ts";
import { keptDays } from "../../outbox/event-types.ts";
import { runIdempotently } from "../../rpc/idempotency/once.ts";
import { readPage } from "../../rpc/own-rows.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { deliver, messageOf, record } from "./attempt.ts";
import { replayWebhook } from "./replay.ts";
import { secretBytes, secretText } from "./secret.ts";
import { DeliveryEntity, webhooks } from "./webhook.row.ts";
import {
  activeInput,
  deliverySchema,
  eventsInput,
  newWebhookSchema,
  urlInput,
  type Webhook,
  webhookSchema,
} from "./webhook.schema.ts";

/** Creates a webhook, which receives events from now on. Counts as one creation. */
const createWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    hasSecret: true,
    route: "POST /v1/webhooks",
    tag: "Webhooks",
    summary: "Create a webhook",
    description: `It receives events from now on. An account has at most ${webhooksPerAccount} webhooks.`,
    example: { url: "https://example.com/hooks/terse", events: ["link.created", "link.clicked"] },
    successDescription: "The webhook and its secret, which is shown only once",
    successStatus: 201,
    errors: [429],
  })
  .use(limitCreations)
  .input(fieldsOf({ url: urlInput, events: eventsInput, active: activeInput.default(true) }))
  .output(newWebhookSchema)
  .mutation(async ({ ctx, input: { url, events, active } }) => {
    const { deps } = ctx;
    await assertReceiver(deps, url);
    ctx.charge();
    const secret = deps.randomBytes(secretBytes);
    const limit = { most: webhooksPerAccount, things: "webhooks", verb: "create" };
    const now = deps.clock();
    const times = { next_at: now, created_by: makerOf(ctx.actor), created_at: now, updated_at: now };
    const values = { url, events, active, secret: Buffer.from(secret), ...fromNowOn(), ...times };
    const created = await webhooks.create(ctx, limit, values, { secret: secretText(secret) });
    await recordActivity(deps, actorOf(ctx), "webhook_created", new URL(url).host, {
      id: created.id,
      after: loggedOf(created),
    });
    return created;
  });

const listWebhooks = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/webhooks",
    tag: "Webhooks",
    summary: "List webhooks",
    successDescription: "The account's webhooks, newest first",
  })
  .input(noFields)
  .output(z.array(webhookSchema))
  .query(({ ctx }) => webhooks.list(ctx));

/** Returns a webhook, without its secret. */
const getWebhook = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/webhooks/{id}",
    tag: "Webhooks",
    summary: "Get a webhook",
    successDescription: "The webhook",
    errors: [404],
  })
  .input(idInput)
  .output(webhookSchema)
  .query(({ ctx, input: { id } }) => webhooks.get(ctx, id));

const updateFields = changesOf(
  {
    id: z.string(),
    url: urlInput.optional(),
    events: eventsInput.optional(),
    active: activeInput.optional(),
  },
  webhookSchema,
);

/**
 * Changes the given fields. A webhook that is switched on again receives new events only. A failed delivery is
 * retried at once. A delivery in progress ends with the old settings, and may be repeated with the new ones.
 */
const updateWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    route: "PATCH /v1/webhooks/{id}",
    tag: "Webhooks",
    summary: "Update a webhook",
    example: { active: false },
    description:
      "Only the given fields change. A failed delivery is retried at once. A webhook that is switched on again receives new events only; `replay` sends those it missed.",
    successDescription: "The updated webhook",
    errors: [404],
  })
  .input(updateFields)
  .output(webhookSchema)
  .mutation(async ({ ctx, input: { id, url, events, active } }) => {
    const { deps } = ctx;
    const before = await webhooks.find(ctx, id);
    if (url !== undefined && url !== before.url) await assertReceiver(deps, url);
    const now = deps.clock();
    const changed = await webhooks.change(ctx, id, (row) => ({
      url,
      events,
      active,
      ...(active !== undefined && { inactive_reason: null, failing_since: null }),
      ...(active && !row.active && { ...fromNowOn(), delivered: [] }),
      attempts: 0,
      next_at: now,
      lease: null,
      leased_until: null,
      updated_at: now,
    }));
    const [host, after] = [new URL(before.url).host, new URL(changed.url).host];
    const about = host === after ? host : `${host} to ${after}`;
    const target = { id, name: after, before: loggedOf(before), after: loggedOf(changed) };
    await recordActivity(deps, actorOf(ctx), "webhook_changed", about, target);
    return changed;
  });

/** What the log shows of a webhook: paths of receivers often have a secret. */
const loggedOf = ({ url, events, active }: Pick<Webhook, "url" | "events" | "active">) => ({
  host: new URL(url).host,
  events,
  active,
});

/** Makes a webhook begin after the last existing event. */
const fromNowOn = () => {
  const last = raw<never>("(select last from webhook_log)");
  return { position: last, latest: last };
};

/** Refuses (400) URLs that events must not be sent to. Addresses are checked again when a request connects, see outbound.ts. */
async function assertReceiver(deps: AnalyticsDeps, url: string): Promise<void> {
  assertNotOwnHost(deps, [["url", url]]);
  // The operator's own network rarely has certificates.
  if (!url.startsWith("https:") && !deps.outbound.allowsPrivate)
    throw refusal("BAD_REQUEST", "url", "invalid_url", "must be an https:// URL", { reason: "https" });
  if (await deps.outbound.isForbidden(new URL(url).hostname))
    throw refusal(
      "BAD_REQUEST",
      "url",
      "invalid_url",
      "is in a private network; use a public host, or ask the operator to allow the network",
      { reason: "private_network" },
    );
}

const maxOverlapHours = 7 * 24;

/** Replaces a webhook's secret. During the overlap, every delivery is signed with both. */
const rotateSecret = requires("webhooks")
  .meta({
    scope: "webhooks",
    hasSecret: true,
    route: "POST /v1/webhooks/{id}/rotate",
    tag: "Webhooks",
    summary: "Replace a webhook's secret",
    description: "For `overlap_hours`, deliveries are signed with both the new secret and the old one.",
    successDescription: "The webhook and its new secret, which is shown only once",
    errors: [404],
  })
  .input(
    fieldsOf({
      id: z.string(),
      overlap_hours: whole(0, maxOverlapHours)
        .default(24)
        .describe("How long deliveries are signed with the old secret too; 0 stops that at once"),
    }),
  )
  .output(newWebhookSchema)
  .mutation(async ({ ctx, input: { id, overlap_hours } }) => {
    const { deps } = ctx;
    const now = deps.clock();
    const secret = Buffer.from(deps.randomBytes(secretBytes));
    const until = overlap_hours > 0 ? new Date(now.getTime() + overlap_hours * hourMs) : null;
    const rotated = await webhooks.change(
      ctx,
      id,
      (row) => ({
        secret,
        old_secret: until && row.secret,
        old_secret_until: until,
        updated_at: now,
      }),
      { secret: secretText(secret) },
    );
    await recordActivity(deps, actorOf(ctx), "webhook_secret_replaced", new URL(rotated.url).host, { id });
    return rotated;
  });

/** Deletes a webhook with the record of its deliveries. */
const deleteWebhook = accountProcedure
  .meta({
    scope: "webhooks",
    route: "DELETE /v1/webhooks/{id}",
    tag: "Webhooks",
    summary: "Delete a webhook",
    successDescription: "The webhook was deleted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { url } = await webhooks.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "webhook_deleted", new URL(url).host, { id });
    return { id, deleted: true as const };
  });

/** Lists deliveries to a webhook with its answers, newest first. */
const listDeliveries = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/webhooks/{id}/deliveries",
    tag: "Webhooks",
    summary: "List deliveries of a webhook",
    description: `Every attempt of the last ${keptDays} days.`,
    successDescription: "One page of deliveries, newest first",
    errors: [404],
  })
  .input(pageInput("Deliveries", 20, { id: z.string() }))
  .output(pageOf(deliverySchema))
  .query(async ({ ctx, input: { id, ...page } }) => {
    await webhooks.find(ctx, id);
    return readPage(ctx, DeliveryEntity, { webhook_id: id }, page, (row) => shown(deliverySchema, row));
  });

/** Sends a webhook a test event, even while it is switched off, and waits for the answer. Counts as one creation. */
const testWebhook = requires("webhooks")
  .meta({
    scope: "webhooks",
    route: "POST /v1/webhooks/{id}/test",
    tag: "Webhooks",
    summary: "Send a test event",
    description:
      "Sends the event `webhook.test` at once, even to a webhook that is switched off, and waits up to ten seconds for the answer. It is not retried.",
    successDescription: "What the webhook answered",
    errors: [404, 429],
  })
  .use(limitCreations)
  .input(idInput)
  .output(deliverySchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps } = ctx;
    const receiver = await webhooks.find(ctx, id);
    ctx.charge();
    const message = messageOf("webhook.test", deps.clock(), { webhook_id: id });
    const event = { id: deps.newId(), type: "webhook.test", body: message, attempt: 1 } as const;
    const delivery = await deliver(deps, receiver, event);
    // Not before: no connection should wait for the webhook's answer.
    await runIdempotently(ctx, async (database) => {
      await record(database, receiver.id, delivery);
      return delivery;
    });
    await recordActivity(deps, actorOf(ctx), "webhook_tested", new URL(receiver.url).host, { id });
    return delivery;
  });

export const webhooksRouter = router({
  create: createWebhook,
  list: listWebhooks,
  get: getWebhook,
  update: updateWebhook,
  delete: deleteWebhook,
  rotate: rotateSecret,
  deliveries: listDeliveries,
  replay: replayWebhook,
  test: testWebhook,
});
