import type { AccountDetails, ListedAccount } from "../../accounts/users/user.schema.ts";
import { accountProcedure } from "../../analytics/call.ts";
import { refusal } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { pageInput, pageMeta, withListSlot } from "../../kernel/validation/pagination.ts";
import { plain, textUpTo } from "../../kernel/validation/strings.ts";
import * as z from "zod";
import { planNames } from "../../kernel/names.ts";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { createAccounts } from "../../accounts/users/accounts.ts";
import { createModeration } from "../../integrations/moderation/moderation.ts";
import { idInput } from "../../kernel/validation/ids.ts";
import { createReportQueue } from "../../integrations/reports/queue.ts";
import { listMails } from "../../mail/deliver.ts";
import type { ListedMail } from "../../mail/mail.types.ts";
import { router } from "../../rpc/procedure.ts";

/** The service at a glance. Times are ISO 8601 in UTC. */
export interface ServiceOverview {
  accounts: { total: number; suspended: number; created_this_week: number };
  domains: { pending: number; verified: number; failed: number };
  open_reports: number;
  database: {
    version: string;
    size_bytes: number;
    /** Connections to this database, and how many the server allows */
    connections: number;
    max_connections: number;
  };
  /** Bytes of this machine's click log that are not counted yet; null without a click log */
  waiting_bytes: number | null;
}

/** An account in the operator's list. */
export interface OperatorAccount extends ListedAccount, Pick<AccountDetails, "suspended_at" | "deletes_at"> {
  is_operator: boolean;
}

/**
 * For accounts that an admin command made operator, with the session cookie. API keys are refused, so that a lost key
 * never reaches other accounts.
 */
const operatorProcedure = accountProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (actor.kind !== "account" || actor.credential !== "session" || !actor.is_operator) {
    throw refusal("FORBIDDEN", "", "forbidden", "Only operators can do this, after signing in", {
      reason: "operators_only",
    });
  }
  return next();
});

export const overview = operatorProcedure.query(async ({ ctx }): Promise<ServiceOverview> => {
  const { pool, clock, waitingBytes } = ctx.deps;
  const { rows } = await pool.query<Omit<ServiceOverview, "waiting_bytes">>(
    `select
       (select json_build_object(
          'total', count(*),
          'suspended', count(suspended_at),
          'created_this_week', count(*) filter (where created_at > $1::timestamptz - interval '7 days')
        ) from workspaces where erased_at is null) as accounts,
       (select json_build_object(
          'pending', count(*) filter (where status = 'pending'),
          'verified', count(*) filter (where status = 'verified'),
          'failed', count(*) filter (where status = 'failed')
        ) from domains where account_id is not null and deleted_at is null) as domains,
       (select count(*)::int from reports where closed_at is null) as open_reports,
       json_build_object(
         'version', current_setting('server_version'),
         'size_bytes', pg_database_size(current_database()),
         'connections', (select count(*) from pg_stat_activity where datname = current_database()),
         'max_connections', current_setting('max_connections')::int
       ) as database`,
    [clock()],
  );
  const [row] = rows as [(typeof rows)[number]];
  return { ...row, waiting_bytes: await waitingBytes() };
});

const accountsInput = pageInput("Accounts", 50, {
  search: textUpTo(254)
    .superRefine(plain())
    .describe("Part of the e-mail address or name, or the id; case-insensitive")
    .optional(),
});

export const accounts = operatorProcedure
  .input(accountsInput)
  .query(async ({ ctx, input: { page, limit, search = "" } }) => {
    const { pool } = ctx.deps;
    const { rows } = await withListSlot(pool, ctx.account.id, () =>
      pool.query<OperatorAccount & { total: number }>(
        `select id, email, name, plan, email_verified, created_at, suspended_at, deletes_at, is_operator,
           count(*) over ()::int as total
         from workspaces
         where erased_at is null and personal and ($1 = '' or strpos(fold_case(email || ' ' || name), fold_case($1)) > 0 or id::text = $1)
         order by created_at desc, id desc limit $2 offset $3`,
        [search, limit, (page - 1) * limit],
      ),
    );
    return {
      data: rows.map(
        ({ total: _total, ...row }): OperatorAccount => ({
          ...row,
          created_at: isoTime(row.created_at),
          suspended_at: isoTime(row.suspended_at),
          deletes_at: isoTime(row.deletes_at),
        }),
      ),
      meta: pageMeta(page, limit, rows[0]?.total ?? 0),
    };
  });

/** Returns what operators need to know about an account; 404 if there is none. */
export const account = operatorProcedure
  .input(idInput)
  .query(({ ctx, input }) => createAccounts(ctx.deps).details(input.id));

/** Changes an account's plan, effective with its next request. */
export const setPlan = operatorProcedure
  .input(idInput.extend({ plan: oneOf(planNames) }))
  .mutation(async ({ ctx, input }) => {
    const all = createAccounts(ctx.deps);
    const { email } = await all.details(input.id);
    await all.setPlan(email, input.plan, { unverified: true });
    return all.details(input.id);
  });

/** Suspends an account: its sign-ins, keys and sessions are refused, its links answer 410. */
export const suspend = operatorProcedure
  .input(idInput.extend({ reason: z.string() }))
  .mutation(({ ctx, input }) => {
    if (input.id === ctx.account.id)
      throw refusal("BAD_REQUEST", "id", "forbidden", "is your own account; another operator can do this", {
        reason: "own_account",
      });
    return createAccounts(ctx.deps).suspend(input.id, input.reason);
  });

export const resume = operatorProcedure
  .input(idInput)
  .mutation(({ ctx, input }) => createAccounts(ctx.deps).resume(input.id));

const maxTextLength = 2000;

/** Finds links of all accounts by a slug or short URL, a host in their destinations, or an account, or the newest; at most 100. */
export const findLinks = operatorProcedure
  .input(
    z.union([
      z.strictObject({ slug: textUpTo(maxTextLength) }),
      z.strictObject({ host: textUpTo(maxTextLength) }),
      z.strictObject({ accountId: textUpTo(maxTextLength) }),
      z.strictObject({ newest: z.literal(true) }),
    ]),
  )
  .query(({ ctx, input }) => createModeration(ctx.deps).findLinks(input));

/** Makes a link answer 410 until it is enabled; a bucket is disabled as a whole. */
export const disableLink = operatorProcedure
  .input(idInput.extend({ reason: z.string() }))
  .mutation(({ ctx, input }) => createModeration(ctx.deps).disableLink(input.id, input.reason));

export const enableLink = operatorProcedure
  .input(idInput)
  .mutation(({ ctx, input }) => createModeration(ctx.deps).enableLink(input.id));

/** Lists the open reports of visitors, or all; newest first, at most 1,000. */
export const reports = operatorProcedure
  .input(z.object({ all: z.boolean().optional() }))
  .query(({ ctx, input }) => createReportQueue(ctx.deps).list({ all: input.all ?? false }));

/** The newest hundred mails, without their secrets, and whether a server takes them. */
export const mails = operatorProcedure.query(
  async ({ ctx: { deps } }): Promise<{ is_set: boolean; mails: ListedMail[] }> => ({
    is_set: deps.hasMail,
    mails: await listMails(deps, 100),
  }),
);

/** Closes all open reports of a link; returns how many there were. */
export const closeReports = operatorProcedure
  .input(z.object({ link_id: z.string() }))
  .mutation(async ({ ctx, input }) => ({
    closed: await createReportQueue(ctx.deps).close({ linkId: input.link_id }),
  }));

/**
 * The operator's actions in the console. A separate router: neither REST nor MCP offers it, and no API key opens it.
 * Scripts use the admin command, which does the same.
 */
export const operatorRouter = router({
  overview,
  accounts,
  account,
  setPlan,
  suspend,
  resume,
  findLinks,
  disableLink,
  enableLink,
  reports,
  closeReports,
  mails,
});
export type OperatorRouter = typeof operatorRouter;
