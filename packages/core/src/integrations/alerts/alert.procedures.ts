import { accountProcedure, requires } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../../analytics/subject.ts";
import { alertsPerAccount } from "../../kernel/plans.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { changesOf, fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { alerts } from "./alert.row.ts";
import {
  activeInput,
  type Alert,
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
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";

/** Creates an alert. Counts as one creation. */
const createAlert = requires("webhooks")
  .meta({
    scope: "webhooks",
    route: "POST /v1/alerts",
    tag: "Webhooks",
    summary: "Create an alert",
    description: `When it fires, webhooks receive the event \`alert.fired\`, once until its condition ends. It watches a link, a tag, or all links. An account has at most ${alertsPerAccount} alerts.`,
    example: { kind: "surge", factor: 3 },
    successDescription: "The alert",
    successStatus: 201,
    errors: [404, 429],
  })
  .use(limitCreations)
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
    const { deps } = ctx;
    const { kind, active } = input;
    assertFieldsOfKind(kind, input);
    const { name, linkId, tagId } = await subjectOf(ctx, input);
    ctx.charge();
    const limit = { most: alertsPerAccount, things: "alerts", verb: "create" };
    const now = deps.clock();
    const values = {
      name: input.name ?? name,
      kind,
      link_id: linkId,
      tag_id: tagId,
      hours: kind === "silence" ? (input.hours ?? defaultHours) : null,
      factor: kind === "surge" ? (input.factor ?? defaultFactor) : null,
      active,
      next_at: now,
      created_at: now,
    };
    const created = await alerts.create(ctx, limit, values);
    await recordActivity(deps, actorOf(ctx), "alert_created", created.name, {
      id: created.id,
      after: loggedOf(created),
    });
    return created;
  });

/** What the log shows of an alert. */
const loggedOf = ({ name, kind, hours, factor, active }: Alert) => ({ name, kind, hours, factor, active });

const listAlerts = accountProcedure
  .meta({
    scope: "webhooks",
    route: "GET /v1/alerts",
    tag: "Webhooks",
    summary: "List alerts",
    successDescription: "The account's alerts, newest first",
  })
  .input(noFields)
  .output(z.array(alertSchema))
  .query(({ ctx }) => alerts.list(ctx));

const updateFields = changesOf(
  {
    id: z.string(),
    name: nameInput.optional(),
    hours: hoursInput
      .nullable()
      .describe("For silence: hours without a click until it fires; null changes nothing"),
    factor: factorInput
      .nullable()
      .describe("For surge: fires at this multiple of the usual clicks; null changes nothing"),
    active: activeInput.optional(),
  },
  alertSchema,
);

/** Changes the given fields. With another threshold, or switched on, an alert whose condition holds fires again. */
const updateAlert = requires("webhooks")
  .meta({
    scope: "webhooks",
    route: "PATCH /v1/alerts/{id}",
    tag: "Webhooks",
    summary: "Update an alert",
    example: { active: false },
    description:
      "Only the given fields change. With a new threshold, or when switched on, it fires if its condition holds.",
    successDescription: "The updated alert",
    errors: [404],
  })
  .input(updateFields)
  .output(alertSchema)
  .mutation(async ({ ctx, input: { id, name, hours, factor, active } }) => {
    const { deps } = ctx;
    const before = await alerts.get(ctx, id);
    const changed = await alerts.change(ctx, id, (row) => {
      assertFieldsOfKind(row.kind, { hours, factor });
      const threshold = { hours: hours ?? row.hours, factor: factor ?? row.factor };
      const isSame = threshold.hours === row.hours && threshold.factor === row.factor;
      const is_on = row.is_on && isSame && (row.active || active !== true);
      return { name, ...threshold, active, next_at: deps.clock(), is_on };
    });
    await recordActivity(deps, actorOf(ctx), "alert_changed", changed.name, {
      id,
      before: loggedOf(before),
      after: loggedOf(changed),
    });
    return changed;
  });

const deleteAlert = accountProcedure
  .meta({
    scope: "webhooks",
    route: "DELETE /v1/alerts/{id}",
    tag: "Webhooks",
    summary: "Delete an alert",
    successDescription: "The alert was deleted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { name } = await alerts.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "alert_deleted", name, { id });
    return { id, deleted: true as const };
  });

export const alertsRouter = router({
  create: createAlert,
  list: listAlerts,
  update: updateAlert,
  delete: deleteAlert,
});
