import type { AccountDetails, ListedAccount } from "../../accounts/users/user.schema.ts";
import type { AccountCall, AccountDeps } from "../../accounts/call.ts";
import { ownerEmail } from "../../accounts/workspaces/membership.ts";
import { createWorkspaces, type ListedWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { accountProcedure } from "../../analytics/call.ts";
import { refusal } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { pageInput, pageMeta, withListSlot } from "../../kernel/validation/pagination.ts";
import { plain, textUpTo } from "../../kernel/validation/strings.ts";
import * as z from "zod";
import type { Role } from "../../kernel/roles.ts";
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
  people: { total: number; suspended: number; created_this_week: number };
  /** Those that are nobody's own */
  workspaces: { total: number; suspended: number };
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

/** A workspace in the operator's list. */
export interface OperatorWorkspace extends ListedWorkspace {
  /** Of more than 10,000, 10,001 */
  links: number;
}

/** A person in the operator's list; the plan is that of their personal workspace. */
export interface OperatorPerson extends ListedAccount, Pick<AccountDetails, "suspended_at" | "deletes_at"> {
  is_operator: boolean;
  last_seen_at: string | null;
  /** How they can sign in: names of providers, "passkey" */
  ways: string[];
  /** Without their own */
  workspaces: { id: string; name: string; role: Role }[];
}

/** What operators see of a workspace; only a personal one has the address of its person. */
export type WorkspaceDetails = Omit<AccountDetails, "email" | "email_verified"> &
  Pick<ListedWorkspace, "slug" | "personal" | "owner" | "members">;

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
        ) from workspaces where erased_at is null and personal) as people,
       (select json_build_object('total', count(*), 'suspended', count(suspended_at))
        from workspaces where erased_at is null and not personal) as workspaces,
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

const listInput = (things: string, search: string) =>
  pageInput(things, 50, {
    search: textUpTo(254).superRefine(plain()).describe(`${search}; case-insensitive`).optional(),
  });

/** A page of workspaces `w`, the newest first, with more columns. `condition` may use `$1`, the text that is searched. */
async function pageOf<Row extends OperatorWorkspace | OperatorPerson>(
  { deps: { pool }, account }: Pick<AccountCall, "account"> & { deps: Pick<AccountDeps, "pool"> },
  { page, limit, search = "" }: { page: number; limit: number; search?: string | undefined },
  condition: string,
  columns: string,
  shown: (row: Row) => Row,
): Promise<{ data: Row[]; meta: ReturnType<typeof pageMeta> }> {
  const { rows } = await withListSlot(pool, account.id, () =>
    pool.query<Row & { total: number }>(
      `with w as (
         select *, count(*) over ()::int as total from workspaces w where erased_at is null and (${condition})
         order by created_at desc, id desc limit $2 offset $3)
       select w.id, w.name, w.plan, w.created_at, w.suspended_at, w.deletes_at, w.total, ${columns}
       from w order by created_at desc, id desc`,
      [search, limit, (page - 1) * limit],
    ),
  );
  return {
    data: rows.map(({ total: _total, ...row }) => ({
      ...shown(row as unknown as Row),
      created_at: isoTime(row.created_at),
      suspended_at: isoTime(row.suspended_at),
      deletes_at: isoTime(row.deletes_at),
    })),
    meta: pageMeta(page, limit, rows[0]?.total ?? 0),
  };
}

const contains = (text: string) =>
  `$1 = '' or strpos(fold_case(${text}), fold_case($1)) > 0 or id::text = $1`;

/** How many links of a workspace are counted in a list */
const maxCounted = 10_000;

const ofWorkspace = `w.slug, w.personal, ${ownerEmail("w")} as owner,
  (select count(*)::int from members where workspace_id = w.id) as members,
  (select count(*)::int from (select from links where account_id = w.id limit ${maxCounted + 1}) counted) as links`;

const ofPerson = `w.email, w.email_verified, w.is_operator,
  (select max(last_seen_at) from sessions where account_id = w.id) as last_seen_at,
  array(select provider from identities where account_id = w.id
    union select 'passkey' from passkeys where account_id = w.id order by 1) as ways,
  (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.created_at), '[]')
    from members m join workspaces o on o.id = m.workspace_id
    where m.user_id = w.id and o.id <> w.id and o.erased_at is null) as workspaces`;

export const workspaces = operatorProcedure
  .input(listInput("Workspaces", "Part of the name, slug or owner's e-mail address, or the id"))
  .query(({ ctx, input }) =>
    pageOf(
      ctx,
      input,
      contains(`concat_ws(' ', slug, name, ${ownerEmail("w")})`),
      ofWorkspace,
      (row: OperatorWorkspace) => row,
    ),
  );

export const people = operatorProcedure
  .input(listInput("People", "Part of the e-mail address or name, or the id"))
  .query(({ ctx, input }) =>
    pageOf(
      ctx,
      input,
      `personal and (${contains("email || ' ' || name")})`,
      ofPerson,
      (row: OperatorPerson) => ({ ...row, last_seen_at: isoTime(row.last_seen_at) }),
    ),
  );

/** What a workspace has; a personal one is its person's. 404 if there is none. */
async function detailsOf(
  { deps }: { deps: Parameters<typeof createAccounts>[0] },
  id: string,
): Promise<WorkspaceDetails> {
  const details = await createAccounts(deps).details(id);
  const { slug, personal, owner, members } = await createWorkspaces(deps).get(details.id);
  return { ...details, slug, personal, owner, members };
}

export const workspace = operatorProcedure.input(idInput).query(({ ctx, input }) => detailsOf(ctx, input.id));

/** Changes a workspace's plan, effective with the next request. */
export const setPlan = operatorProcedure
  .input(idInput.extend({ plan: oneOf(planNames) }))
  .mutation(async ({ ctx, input: { id, plan } }) => {
    const found = await detailsOf(ctx, id);
    await createWorkspaces(ctx.deps).setPlan(found.id, plan);
    return { ...found, plan };
  });

/**
 * Suspends a workspace: its keys and members are refused, its links answer 410. With a personal one, its person is refused
 * everywhere.
 */
export const suspend = operatorProcedure
  .input(idInput.extend({ reason: z.string() }))
  .mutation(({ ctx: { actor, account, deps }, input }) => {
    if (input.id === (actor.kind === "account" && actor.user ? actor.user : account).id)
      throw refusal("BAD_REQUEST", "id", "forbidden", "is your own account; another operator can do this", {
        reason: "own_account",
      });
    return createAccounts(deps).suspend(input.id, input.reason);
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
  workspaces,
  people,
  workspace,
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
