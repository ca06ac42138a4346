import { requires } from "../../analytics/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../../analytics/subject.ts";
import { createOne } from "../../rpc/idempotency/once.ts";
import { alertsPerAccount } from "../../kernel/plans.ts";
import { creation } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { alertColumns, type AlertRow, toAlert } from "./alert.row.ts";
import {
  activeInput,
  alertSchema,
  defaultFactor,
  defaultHours,
  factorInput,
  hoursInput,
  kindInput,
  nameInput,
  refuseOther,
} from "./alert.schema.ts";

/** Creates an alert. Counts as one creation. */
export const createAlert = requires("webhooks")
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
    refuseOther(input.kind, input);
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
