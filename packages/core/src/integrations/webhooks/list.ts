import { accountProcedure } from "../../analytics/call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { toWebhook, webhookColumns, type WebhookRow } from "./webhook.row.ts";
import { webhookSchema } from "./webhook.schema.ts";

export const listWebhooks = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "GET",
      path: "/v1/webhooks",
      tags: ["Webhooks"],
      summary: "List webhooks",
      successDescription: "The account's webhooks, newest first",
    },
  })
  .input(noFields)
  .output(z.array(webhookSchema))
  .query(async ({ ctx: { deps, account } }) => {
    const { rows } = await deps.pool.query<WebhookRow>({
      name: "list-webhooks",
      text: `select ${webhookColumns} from webhooks where account_id = $1 order by id desc`,
      values: [account.id],
    });
    return rows.map(toWebhook);
  });
