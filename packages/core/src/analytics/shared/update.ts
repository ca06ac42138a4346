import { requires } from "../call.ts";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { hashPassword, sharesOfAccount } from "../../kernel/secrets.ts";
import { notFound } from "../../kernel/errors.ts";
import { changesOf } from "../../kernel/validation/inputs.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { sharedReportColumns, type SharedReportRow, toSharedReport } from "./shared-report.row.ts";
import { endInput, endOf, nameInput, passwordInput, sharedReportSchema } from "./shared-report.schema.ts";

const fields = changesOf(
  {
    id: z.string(),
    name: nameInput.optional(),
    password: passwordInput,
    expires_at: endInput,
    active: z
      .boolean("must be true or false")
      .describe("False revokes the address; true lets it work again")
      .optional(),
  },
  sharedReportSchema,
);

/** Changes the given fields. A revoked report works again under the same address if it is activated. */
export const updateSharedReport = requires("analytics")
  .meta({
    scope: "account",
    openapi: {
      method: "PATCH",
      path: "/v1/shared-reports/{id}",
      tags: ["Analytics"],
      summary: "Change or revoke a shared report",
      example: { active: false },
      description: "Only the given fields change. Readers who entered the old password enter the new one.",
      successDescription: "The shared report",
      errors: [404, 429],
    },
  })
  .input(fields)
  .output(sharedReportSchema)
  .mutation(async ({ ctx, input: { id, name, password, expires_at, active } }) => {
    const { deps, account } = ctx;
    const end = expires_at === undefined ? null : endOf(expires_at, deps.clock());
    if (password != null) await deps.passwordLimit.takeChange(ctx);
    const hash =
      password == null ? null : await hashPassword(password, sharesOfAccount(account.id), deps.passwordCost);
    const { rows } = await deps.pool.query<SharedReportRow>({
      name: "update-shared-report",
      text: `update shared_reports s set
               name = coalesce($3, name), expires_at = coalesce($4, expires_at), active = coalesce($5, active),
               password_hash = case when $6 then $7 else password_hash end
             where id = $1 and account_id = $2 returning ${sharedReportColumns}`,
      values: [idOrNull(id), account.id, name ?? null, end, active ?? null, password !== undefined, hash],
    });
    if (!rows[0]) throw notFound("Shared report");
    const action = active === undefined ? "report_changed" : active ? "report_shared" : "report_revoked";
    await recordActivity(deps, actorOf(ctx), action, rows[0].name);
    return toSharedReport(rows[0]);
  });
