import * as z from "zod";
import { deedOf, recordActivity } from "../activity/index.ts";
import { hashPassword, sharesOfAccount } from "../crypto/password-hash.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { inTransaction } from "../db/transaction.ts";
import { claim, keep } from "../idempotency/index.ts";
import { AppError } from "../kernel/errors.ts";
import { sharedReportsPerAccount } from "../kernel/plans.ts";
import { findLink } from "../links/index.ts";
import { type Call, creation, requires } from "../rpc/procedure.ts";
import { keyOfTag, tagInput } from "../tags/index.ts";
import { fieldsOf } from "../validation/inputs.ts";
import { sharedReportColumns, type SharedReportRow, toSharedReport } from "./shared-report.row.ts";
import {
  endInput,
  endOf,
  nameInput,
  newSharedReportSchema,
  type NewSharedReport,
  passwordInput,
} from "./shared-report.schema.ts";

/** Shares a report under a secret address. Counts as one creation. */
export const createSharedReport = requires("analytics")
  .meta({
    scope: "account",
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
      link_id: z.string().describe("The link that the report is about").optional(),
      tag: tagInput.optional(),
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
    const hash = password == null ? null : await hashPassword(password, sharesOfAccount(account.id));
    const secret = newToken(deps.randomBytes);
    let created: NewSharedReport | undefined;
    await inTransaction(deps.pool, async (database) => {
      await claim(ctx, database);
      // Two at once would both find room.
      await database.query("select from users where id = $1 for no key update", [account.id]);
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
      if (row === undefined) return false;
      created = { ...toSharedReport(row), url: new URL(`/reports/${secret}`, deps.baseUrl).href };
      await keep(ctx, database, created);
      return true;
    });
    if (created === undefined) throw tooManyReports();
    await recordActivity(deps, deedOf(ctx), "report_shared", created.name);
    return created;
  });

const tooManyReports = () =>
  new AppError(
    "FORBIDDEN",
    `An account has at most ${sharedReportsPerAccount} shared reports: delete one to share another`,
  );

interface Subject {
  linkId: string | null;
  tagId: string | null;
  name: string;
}

/** What a report is about; 404 if the account has no such link or tag. */
async function subjectOf(
  ctx: Call & { account: { id: string } },
  { link_id, tag }: { link_id?: string | undefined; tag?: string | undefined },
): Promise<Subject> {
  if (link_id !== undefined && tag !== undefined)
    throw new AppError("BAD_REQUEST", "link_id and tag cannot be combined");
  if (link_id !== undefined) {
    const { id, title, slug } = await findLink(ctx, link_id);
    return { linkId: id, tagId: null, name: (title ?? slug).slice(0, 100) };
  }
  if (tag === undefined) return { linkId: null, tagId: null, name: "All links" };
  const { rows } = await ctx.deps.pool.query<{ id: string; name: string }>({
    name: "tag-to-share",
    text: "select id, name from tags where account_id = $1 and key = $2",
    values: [ctx.account.id, keyOfTag(tag)],
  });
  if (!rows[0]) throw new AppError("NOT_FOUND", "Tag not found");
  return { linkId: null, tagId: rows[0].id, name: rows[0].name };
}
