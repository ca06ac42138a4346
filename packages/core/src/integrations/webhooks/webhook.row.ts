import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { type Webhook, type Delivery, webhookSchema } from "./webhook.schema.ts";

export const WebhookEntity = defineEntity({
  name: "Webhook",
  tableName: "webhooks",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: p.uuid(),
    url: p.text(),
    events: p.array().$type<EventType[]>(),
    active: p.boolean(),
    inactive_reason: p.text().nullable(),
    secret: p.blob(),
    /** Deliveries are signed with it too, until a time */
    old_secret: p.blob().nullable(),
    old_secret_until: p.datetime(3).nullable(),
    /** Events up to `position` are delivered, and those of `delivered` after it; `latest` is the account's last event */
    position: p.bigint("string"),
    latest: p.bigint("string"),
    delivered: p.array().columnType("bigint[]").default([]),
    attempts: p.integer().default(0),
    failing_since: p.datetime(3).nullable(),
    next_at: p.datetime(3),
    lease: p.uuid().nullable(),
    leased_until: p.datetime(3).nullable(),
    created_by: p.uuid().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
});

/** One attempt to deliver an event. */
export const DeliveryEntity = defineEntity({
  name: "Delivery",
  tableName: "webhook_deliveries",
  properties: {
    id: p.uuid().primary(),
    webhook_id: p.uuid(),
    event_id: p.uuid(),
    event: p.text().$type<Delivery["event"]>().fieldName("type"),
    at: p.datetime(3),
    attempt: p.integer(),
    ok: p.boolean(),
    status: p.smallint().nullable(),
    duration_ms: p.integer(),
    failure: p.text().nullable(),
    answer: p.text().nullable(),
  },
});

export const webhooks: OwnRows<InferEntity<typeof WebhookEntity>, Webhook> = ownRows(
  WebhookEntity,
  "Webhook",
  (row, created_by) =>
    shown(webhookSchema, {
      ...row,
      created_by,
      next_attempt_at: row.active && row.failing_since ? row.next_at : null,
    }),
);
