import { isoTime } from "../../kernel/time.ts";
import type { EventType } from "../../outbox/event-types.ts";
import type { Webhook } from "./webhook.schema.ts";
import type { Base } from "../../db/base.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";

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

/** Returns the account's webhook with this id; 404 if the account has none, even if another account has it. */
export async function findWebhook(
  { pool }: Pick<Base, "pool">,
  accountId: string,
  id: string,
): Promise<WebhookRow> {
  if (!isId(id)) throw webhookNotFound();
  const { rows } = await pool.query<WebhookRow>({
    name: "find-webhook",
    text: `select ${webhookColumns} from webhooks where id = $1 and account_id = $2`,
    values: [id, accountId],
  });
  if (!rows[0]) throw webhookNotFound();
  return rows[0];
}

export const webhookNotFound = () => notFound("Webhook");
