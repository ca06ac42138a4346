import type { Base } from "../../db/base.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { webhookColumns, type WebhookRow } from "./webhook.row.ts";

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
