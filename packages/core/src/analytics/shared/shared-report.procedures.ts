import { accountProcedure, requires } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../subject.ts";
import { hashPassword, hashToken, newToken, sharesOfAccount } from "../../kernel/secrets.ts";
import { createOne } from "../../rpc/idempotency/once.ts";
import { sharedReportsPerAccount } from "../../kernel/plans.ts";
import { creation, router } from "../../rpc/procedure.ts";
import { changesOf, fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import {
  sharedReportColumns,
  type SharedReportRow,
  sharedReports,
  toSharedReport,
} from "./shared-report.row.ts";
import {
  endInput,
  endOf,
  nameInput,
  newSharedReportSchema,
  passwordInput,
  sharedReportSchema,
} from "./shared-report.schema.ts";
import * as z from "zod";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";

/** Shares a report under a secret address. Counts as one creation. */
const createSharedReport = requires("analytics")
  .meta({
    scope: "account",
    hasSecret: true,
    openapi: {
      method: "POST",
      path: "/v1/shared-reports",
      tags: ["Analytics"],
      summary: "Share a report",
      description: `Anyone who has the address can read the report, without an account, until it ends or is revoked. It is about a link, a tag, or all links of the account, which has at most ${sharedReportsPerAccount} shared reports.`,
      example: { name: "How our links do", password: "correct horse" },
      successDescription: "The shared report and its address, which is shown only once",
      successStatus: 201,
      errors: [404, 429],
    },
  })
  .use(creation)
  .input(
    fieldsOf({
      name: nameInput.optional(),
      ...subjectFields,
      password: passwordInput,
      expires_at: endInput,
    }).prefault({}),
  )
  .output(newSharedReportSchema)
  .mutation(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const { name, password } = input;
    const expiresAt = endOf(input.expires_at, deps.clock());
    const subject = await subjectOf(ctx, input);
    if (password != null) await deps.passwordLimit.takeChange(ctx);
    ctx.charge();
    const hash =
      password == null ? null : await hashPassword(password, sharesOfAccount(account.id), deps.passwordCost);
    const secret = newToken(deps.randomBytes);
    const limit = { most: sharedReportsPerAccount, things: "shared reports", verb: "share" };
    const created = await createOne(ctx, limit, async (database) => {
      const inserted = await database.query<SharedReportRow>({
        name: "create-shared-report",
        text: `insert into shared_reports as s (id, account_id, hash, name, link_id, tag_id, password_hash, created_at, expires_at)
               select $1, $2, $3, $4, $5, $6, $7, $8, $9
               where (select count(*) from shared_reports where account_id = $2) < ${sharedReportsPerAccount}
               returning ${sharedReportColumns}`,
        values: [
          deps.newId(),
          account.id,
          hashToken(secret),
          name ?? subject.name,
          subject.linkId,
          subject.tagId,
          hash,
          deps.clock(),
          expiresAt,
        ],
      });
      const [row] = inserted.rows;
      return row && { ...toSharedReport(row), url: new URL(`/reports/${secret}`, deps.baseUrl).href };
    });
    await recordActivity(deps, actorOf(ctx), "report_shared", created.name);
    return created;
  });

const listSharedReports = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/shared-reports",
      tags: ["Analytics"],
      summary: "List shared reports",
      successDescription: "The account's shared reports, newest first",
    },
  })
  .input(noFields)
  .output(z.array(sharedReportSchema))
  .query(async ({ ctx }) => (await sharedReports.list(ctx)).map(toSharedReport));

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
const updateSharedReport = requires("analytics")
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

/** Deletes a shared report; its address never works again. */
const deleteSharedReport = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/shared-reports/{id}",
      tags: ["Analytics"],
      summary: "Delete a shared report",
      description: "Its address never works again.",
      successDescription: "The shared report was deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { name } = await sharedReports.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "report_revoked", name);
    return { id, deleted: true as const };
  });

export const sharedReportsRouter = router({
  create: createSharedReport,
  list: listSharedReports,
  update: updateSharedReport,
  delete: deleteSharedReport,
});
