import type { EventType } from "../outbox/index.ts";
import type { Webhook } from "./webhook.schema.ts";

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

const iso = (time: string) => new Date(time).toISOString();

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  active: row.active,
  inactive_reason: row.inactive_reason,
  failing_since: row.failing_since && iso(row.failing_since),
  next_attempt_at: row.active && row.failing_since ? iso(row.next_at) : null,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});
