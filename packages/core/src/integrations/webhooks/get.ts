import { accountProcedure } from "../../analytics/call.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { findWebhook } from "./find.ts";
import { toWebhook } from "./webhook.row.ts";
import { webhookSchema } from "./webhook.schema.ts";

/** Returns a webhook, without its secret. */
export const getWebhook = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "GET",
      path: "/v1/webhooks/{id}",
      tags: ["Webhooks"],
      summary: "Get a webhook",
      successDescription: "The webhook",
      errors: [404],
    },
  })
  .input(byId)
  .output(webhookSchema)
  .query(async ({ ctx: { deps, account }, input: { id } }) =>
    toWebhook(await findWebhook(deps, account.id, id)),
  );
