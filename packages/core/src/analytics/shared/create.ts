import { requires } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { subjectFields, subjectOf } from "../subject.ts";
import { hashPassword, hashToken, newToken, sharesOfAccount } from "../../kernel/secrets.ts";
import { createOne } from "../../rpc/idempotency/once.ts";
import { sharedReportsPerAccount } from "../../kernel/plans.ts";
import { creation } from "../../rpc/procedure.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { sharedReportColumns, type SharedReportRow, toSharedReport } from "./shared-report.row.ts";
import { endInput, endOf, nameInput, newSharedReportSchema, passwordInput } from "./shared-report.schema.ts";

/** Shares a report under a secret address. Counts as one creation. */
export const createSharedReport = requires("analytics")
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
