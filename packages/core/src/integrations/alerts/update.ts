import { requires } from "../../analytics/call.ts";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { changesOf } from "../../kernel/validation/inputs.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { alertColumns, type AlertRow, toAlert } from "./alert.row.ts";
import {
  activeInput,
  type AlertKind,
  alertSchema,
  factorInput,
  hoursInput,
  nameInput,
  refuseOther,
} from "./alert.schema.ts";

const fields = changesOf(
  {
    id: z.string(),
    name: nameInput.optional(),
    hours: hoursInput
      .nullable()
      .describe("Of silence: hours without a click after which it fires; null changes nothing"),
    factor: factorInput
      .nullable()
      .describe("Of surge: fires at this multiple of the usual clicks; null changes nothing"),
    active: activeInput.optional(),
  },
  alertSchema,
);

/** Changes the given fields. With another threshold, or switched on, an alert whose condition holds fires again. */
export const updateAlert = requires("webhooks")
  .meta({
    scope: "webhooks",
    openapi: {
      method: "PATCH",
      path: "/v1/alerts/{id}",
      tags: ["Webhooks"],
      summary: "Update an alert",
      example: { active: false },
      description:
        "Only the given fields change. With another threshold, or switched on, it fires if its condition holds.",
      successDescription: "The updated alert",
      errors: [404],
    },
  })
  .input(fields)
  .output(alertSchema)
  .mutation(async ({ ctx, input: { id, name, hours, factor, active } }) => {
    const { deps, account } = ctx;
    const own = [idOrNull(id), account.id];
    const found = await deps.pool.query<{ kind: AlertKind }>({
      name: "kind-of-alert",
      text: "select kind from alerts where id = $1 and account_id = $2",
      values: own,
    });
    if (!found.rows[0]) throw notFound("Alert");
    refuseOther(found.rows[0].kind, { hours, factor });
    const { rows } = await deps.pool.query<AlertRow>({
      name: "update-alert",
      text: `update alerts a set name = coalesce($3, name), hours = coalesce($4, hours), factor = coalesce($5, factor),
               active = coalesce($6, active), next_at = $7,
               is_on = is_on and (active or not coalesce($6, active))
                 and (hours, factor) is not distinct from (coalesce($4, hours), coalesce($5, factor))
             where id = $1 and account_id = $2 returning ${alertColumns}`,
      values: [...own, name ?? null, hours ?? null, factor ?? null, active ?? null, deps.clock()],
    });
    if (!rows[0]) throw notFound("Alert");
    await recordActivity(deps, actorOf(ctx), "alert_changed", rows[0].name);
    return toAlert(rows[0]);
  });
