import { makerOf } from "../../kernel/context.ts";
import { accountProcedure, requires } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../subject.ts";
import { hashPassword, hashToken, newToken, sharesOfAccount } from "../../kernel/secrets.ts";
import { sharedReportsPerAccount } from "../../kernel/plans.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { changesOf, fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { sharedReports } from "./shared-report.row.ts";
import {
  endInput,
  endOf,
  nameInput,
  newSharedReportSchema,
  passwordInput,
  type SharedReport,
  sharedReportSchema,
} from "./shared-report.schema.ts";
import * as z from "zod";
import { hidden } from "@terse/importers/text";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";

/** Shares a report under a secret address. Counts as one creation. */
const createSharedReport = requires("analytics")
  .meta({
    scope: "account",
    hasSecret: true,
    permission: "reports",
    route: "POST /v1/shared-reports",
    tag: "Analytics",
    summary: "Share a report",
    description: `Anyone with the address can read the report without an account, until it expires or is revoked. It covers a link, a tag, or all links. An account has at most ${sharedReportsPerAccount} shared reports.`,
    example: { name: "How our links do", password: "correct horse" },
    successDescription: "The shared report and its address, which is shown only once",
    successStatus: 201,
    errors: [404, 429],
  })
  .use(limitCreations)
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
    const { deps, account, actor } = ctx;
    const { name, password } = input;
    const expiresAt = endOf(input.expires_at, deps.clock());
    const subject = await subjectOf(ctx, input);
    if (password != null) await deps.passwordLimit.takeChange(ctx);
    ctx.charge();
    const hash =
      password == null ? null : await hashPassword(password, sharesOfAccount(account.id), deps.passwordCost);
    const secret = newToken(deps.randomBytes);
    const limit = { most: sharedReportsPerAccount, things: "shared reports", verb: "share" };
    const values = {
      hash: hashToken(secret),
      name: name ?? subject.name,
      link_id: subject.linkId,
      tag_id: subject.tagId,
      password_hash: hash,
      created_by: makerOf(actor),
      created_at: deps.clock(),
      expires_at: expiresAt,
    };
    const created = await sharedReports.create(ctx, limit, values, {
      url: new URL(`/reports/${secret}`, deps.baseUrl).href,
    });
    await recordActivity(deps, actorOf(ctx), "report_shared", created.name, {
      id: created.id,
      after: loggedOf(created),
    });
    return created;
  });

/** What the log shows of a shared report, whose address is a secret. */
const loggedOf = ({ name, expires_at, active, has_password }: SharedReport) => ({
  name,
  expires_at,
  active,
  has_password,
});

const listSharedReports = accountProcedure
  .meta({
    scope: "analytics:read",
    permission: "reports",
    route: "GET /v1/shared-reports",
    tag: "Analytics",
    summary: "List shared reports",
    successDescription: "The account's shared reports, newest first",
  })
  .input(noFields)
  .output(z.array(sharedReportSchema))
  .query(({ ctx }) => sharedReports.list(ctx));

const fields = changesOf(
  {
    id: z.string(),
    name: nameInput.optional(),
    password: passwordInput,
    expires_at: endInput,
    active: z
      .boolean("must be true or false")
      .describe("False revokes the address; true restores it")
      .optional(),
  },
  sharedReportSchema,
);

/** Changes the given fields. A revoked report works again under the same address if it is activated. */
const updateSharedReport = requires("analytics")
  .meta({
    scope: "account",
    permission: "reports",
    route: "PATCH /v1/shared-reports/{id}",
    tag: "Analytics",
    summary: "Change or revoke a shared report",
    example: { active: false },
    description: "Only the given fields change. If the password changes, readers must enter the new one.",
    successDescription: "The shared report",
    errors: [404, 429],
  })
  .input(fields)
  .output(sharedReportSchema)
  .mutation(async ({ ctx, input: { id, name, password, expires_at, active } }) => {
    const { deps, account, actor } = ctx;
    const end = expires_at === undefined ? undefined : endOf(expires_at, deps.clock());
    if (password != null) await deps.passwordLimit.takeChange(ctx);
    const password_hash =
      password && (await hashPassword(password, sharesOfAccount(account.id), deps.passwordCost));
    // Whoever changes it answers for it from now on.
    const changes = { name, expires_at: end, active, password_hash, created_by: makerOf(actor) };
    const before = await sharedReports.get(ctx, id);
    const changed = await sharedReports.change(ctx, id, () => changes);
    const action = active === undefined ? "report_changed" : active ? "report_shared" : "report_revoked";
    // A new password looks like the old one.
    const secret = password ? { password: hidden } : {};
    const target = { id, before: loggedOf(before), after: { ...loggedOf(changed), ...secret } };
    await recordActivity(deps, actorOf(ctx), action, changed.name, target);
    return changed;
  });

/** Deletes a shared report; its address never works again. */
const deleteSharedReport = accountProcedure
  .meta({
    scope: "account",
    permission: "reports",
    route: "DELETE /v1/shared-reports/{id}",
    tag: "Analytics",
    summary: "Delete a shared report",
    description: "Its address never works again.",
    successDescription: "The shared report was deleted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { name } = await sharedReports.delete(ctx, id);
    await recordActivity(ctx.deps, actorOf(ctx), "report_revoked", name, { id });
    return { id, deleted: true as const };
  });

export const sharedReportsRouter = router({
  create: createSharedReport,
  list: listSharedReports,
  update: updateSharedReport,
  delete: deleteSharedReport,
});
