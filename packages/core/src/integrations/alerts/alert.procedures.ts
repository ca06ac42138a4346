import { accountProcedure, requires } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../../analytics/subject.ts";
import { createOne } from "../../rpc/idempotency/once.ts";
import { alertsPerAccount } from "../../kernel/plans.ts";
import { creation, router } from "../../rpc/procedure.ts";
import { changesOf, fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { alertColumns, type AlertRow, alerts, toAlert } from "./alert.row.ts";
import {
  activeInput,
  alertSchema,
  defaultFactor,
  defaultHours,
  factorInput,
  hoursInput,
  kindInput,
  nameInput,
  assertFieldsOfKind,
} from "./alert.schema.ts";
import * as z from "zod";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema } from "../../kernel/validation/ids.ts";

/** Creates an alert. Counts as one creation. */
const createAlert = requires("webhooks")
  .meta({
    scope: "webhooks",
    openapi: {
      method: "POST",
      path: "/v1/alerts",
      tags: ["Webhooks"],
      summary: "Create an alert",
      description: `When it fires, webhooks are sent the event \`alert.fired\`, once until its condition has ended. It watches a link, a tag, or all links of the account, which has at most ${alertsPerAccount} alerts.`,
      example: { kind: "surge", factor: 3 },
      successDescription: "The alert",
      successStatus: 201,
      errors: [404, 429],
    },
  })
  .use(creation)
  .input(
    fieldsOf({
      name: nameInput.optional(),
      kind: kindInput,
      ...subjectFields,
      hours: hoursInput,
      factor: factorInput,
      active: activeInput.default(true),
    }),
  )
  .output(alertSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    assertFieldsOfKind(input.kind, input);
    const subject = await subjectOf(ctx, input);
    ctx.charge();
    const limit = { most: alertsPerAccount, things: "alerts", verb: "create" };
    const created = await createOne(ctx, limit, async (database) => {
      const inserted = await database.query<AlertRow>({
        name: "create-alert",
        text: `insert into alerts as a (id, account_id, name, kind, link_id, tag_id, hours, factor, active, next_at, created_at)
               select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10
               where (select count(*) from alerts where account_id = $2) < ${alertsPerAccount}
               returning ${alertColumns}`,
        values: [
          deps.newId(),
          account.id,
          input.name ?? subject.name,
          input.kind,
          subject.linkId,
          subject.tagId,
          input.kind === "silence" ? (input.hours ?? defaultHours) : null,
          input.kind === "surge" ? (input.factor ?? defaultFactor) : null,
          input.active,
          deps.clock(),
        ],
      });
      const [row] = inserted.rows;
      return row && toAlert(row);
    });
    await recordActivity(deps, actorOf(ctx), "alert_created", created.name);
    return created;
  });

const listAlerts = accountProcedure
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
  .query(async ({ ctx }) => (await alerts.list(ctx)).map(toAlert));

const updateFields = changesOf(
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
const updateAlert = requires("webhooks")
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
  .input(updateFields)
  .output(alertSchema)
  .mutation(async ({ ctx, input: { id, name, hours, factor, active } }) => {
    const { deps, account } = ctx;
    const { kind } = await alerts.find(ctx, id);
    assertFieldsOfKind(kind, { hours, factor });
    const { rows } = await deps.pool.query<AlertRow>({
      name: "update-alert",
      text: `update alerts a set name = coalesce($3, name), hours = coalesce($4, hours), factor = coalesce($5, factor),
               active = coalesce($6, active), next_at = $7,
               is_on = is_on and (active or not coalesce($6, active))
                 and (hours, factor) is not distinct from (coalesce($4, hours), coalesce($5, factor))
             where id = $1 and account_id = $2 returning ${alertColumns}`,
      values: [id, account.id, name ?? null, hours ?? null, factor ?? null, active ?? null, deps.clock()],
    });
    if (!rows[0]) throw notFound("Alert");
    await recordActivity(deps, actorOf(ctx), "alert_changed", rows[0].name);
    return toAlert(rows[0]);
  });

const deleteAlert = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "DELETE",
      path: "/v1/alerts/{id}",
      tags: ["Webhooks"],
      summary: "Delete an alert",
      successDescription: "The alert was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { name } = await alerts.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "alert_deleted", name);
    return { id, deleted: true as const };
  });

export const alertsRouter = router({
  create: createAlert,
  list: listAlerts,
  update: updateAlert,
  delete: deleteAlert,
});
