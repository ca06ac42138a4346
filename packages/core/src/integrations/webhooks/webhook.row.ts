import { isoTime } from "../../kernel/time.ts";
import type { EventType } from "../../outbox/event-types.ts";
import type { Webhook } from "./webhook.schema.ts";
import { accountRows } from "../../rpc/account-rows.ts";
import { notFound } from "../../kernel/errors.ts";

/** The columns that clients see; the pool reads times as text. */
export interface WebhookRow {
  id: string;
  url: string;
  events: EventType[];
  active: boolean;
  inactive_reason: string | null;
  failing_since: string | null;
  next_at: string;
  created_at: string;
  updated_at: string;
}

export const webhookColumns =
  "id, url, events, active, inactive_reason, failing_since, next_at, created_at, updated_at";

export const webhooks = accountRows<WebhookRow>("Webhook", "webhooks", webhookColumns);

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  active: row.active,
  inactive_reason: row.inactive_reason,
  failing_since: isoTime(row.failing_since),
  next_attempt_at: row.active && row.failing_since ? isoTime(row.next_at) : null,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

export const webhookNotFound = () => notFound("Webhook");
