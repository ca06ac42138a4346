import { accountProcedure } from "../../analytics/call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { alertColumns, type AlertRow, toAlert } from "./alert.row.ts";
import { alertSchema } from "./alert.schema.ts";

export const listAlerts = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "GET",
      path: "/v1/alerts",
      tags: ["Webhooks"],
      summary: "List alerts",
      successDescription: "The account's alerts, newest first",
    },
  })
  .input(noFields)
  .output(z.array(alertSchema))
  .query(async ({ ctx: { deps, account } }) => {
    const { rows } = await deps.pool.query<AlertRow>({
      name: "list-alerts",
      text: `select ${alertColumns} from alerts a where account_id = $1 order by id desc`,
      values: [account.id],
    });
    return rows.map(toAlert);
  });
