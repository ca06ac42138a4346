import { type AccountDetails, type Addressing, type Accounts, nameFrom, newUser } from "./user.schema.ts";
import { inTransaction } from "../../db/connection.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { toPersonalAccount } from "../../kernel/context.ts";
import { notFound, refusal } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { emailAddress, reasonInput } from "../../kernel/validation/strings.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { WorkspaceEntity } from "../workspaces/workspace.row.ts";
import { changePlan } from "../workspaces/workspaces.ts";

/** Implements `Accounts`, except for operations that need several features. */
export function createAccounts(
  deps: ActivityDeps & Pick<AccountDeps, "orm" | "policy">,
): Omit<Accounts, "delete"> {
  const { orm, clock, newId, policy } = deps;
  const em = () => orm.em.fork();

  async function find(email: string, { unverified = false }: Addressing) {
    const parsed = emailAddress.safeParse(email);
    const row = parsed.success ? await em().findOne(WorkspaceEntity, { email: parsed.data }) : null;
    if (!row?.email)
      throw refusal("NOT_FOUND", "", "not_found", `No user has the e-mail address ${email}`, {
        resource: "account",
        email,
      });
    if (!row.email_verified && !unverified) throw unproven(row.email);
    const { id, name, plan, is_operator } = row;
    return { id, email: row.email, name, plan, is_operator };
  }

  return {
    async create({ email, name, plan = policy.defaultPlan }) {
      const account = {
        id: newId(),
        created_at: clock(),
        ...parseOr400(newUser, { email, name: name ?? nameFrom(null, email), plan }),
      };
      try {
        await em().insert(WorkspaceEntity, account);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw refusal("CONFLICT", "email", "conflict", `${account.email} already has an account`, {
          reason: "email_taken",
          email: account.email,
        });
      }
      return toPersonalAccount(account);
    },
    async setPlan(email, plan, addressing = {}) {
      const { plan: next } = parseOr400(newUser.omit({ name: true }), { email, plan });
      const before = await find(email, addressing);
      await changePlan(deps, before, next);
      return toPersonalAccount({ ...before, plan: next });
    },
    async setOperator(email, is_operator, addressing = {}) {
      const account = await find(email, addressing);
      await em().nativeUpdate(WorkspaceEntity, { id: account.id }, { is_operator });
      const action = is_operator ? "operator_granted" : "operator_revoked";
      if (account.is_operator !== is_operator) await recordActivity(deps, operatorActor(account.id), action);
      return toPersonalAccount(account);
    },
    async byEmail(email, addressing = {}) {
      return toPersonalAccount(await find(email, addressing));
    },
    details: (id) => readDetails(deps, id),
    suspend: async (id, reason) => setSuspended(deps, id, parseOr400(reasonInput, { reason }).reason),
    resume: (id) => setSuspended(deps, id, null),
    async list() {
      const users = await em().find(
        WorkspaceEntity,
        { erased_at: null, personal: true },
        { orderBy: { created_at: "asc", id: "asc" } },
      );
      return users.map((user) => ({
        ...toPersonalAccount({ ...user, email: user.email ?? "" }),
        email_verified: user.email_verified,
        created_at: user.created_at.toISOString(),
      }));
    },
    async createFirst(user) {
      const row = { id: newId(), created_at: clock(), ...parseOr400(newUser, user) };
      return inTransaction({ deps, em: orm.em }, async (database, tx) => {
        // Nodes that start at the same time queue here; each sees the previous one's result.
        await database.query("lock table workspaces in share row exclusive mode");
        if ((await tx.count(WorkspaceEntity)) > 0) return null;
        // Whoever starts the service runs it.
        await tx.insert(WorkspaceEntity, { ...row, is_operator: true });
        return toPersonalAccount(row);
      });
    },
  };
}

const unproven = (email: string) =>
  refusal(
    "CONFLICT",
    "",
    "conflict",
    `The address ${email} was never verified, so the account may be someone else's: pass --unverified to select it anyway`,
    { reason: "unverified_email", email },
  );

/** Suspends an account, or resumes it with null. A trigger makes all processes drop its routes. 404 if there is none. */
async function setSuspended(deps: ActivityDeps, id: string, reason: string | null): Promise<AccountDetails> {
  const { rowCount } = await deps.pool.query(
    `update workspaces set suspended_reason = $2,
       suspended_at = case when $2::text is null then null else coalesce(suspended_at, $3) end
     where id = $1`,
    [idOrNull(id), reason, deps.clock()],
  );
  if (rowCount === 0) throw notFound("PersonalAccount");
  await recordActivity(deps, operatorActor(id), reason === null ? "resumed" : "suspended");
  return readDetails(deps, id);
}

/** Returns what operators need to know about an account, in one read. 404 if there is none. */
async function readDetails({ pool }: Pick<AccountDeps, "pool">, id: string): Promise<AccountDetails> {
  const count = (table: string, condition = "true") =>
    `(select count(*) from ${table} where account_id = u.id and ${condition})::float8`;
  const { rows } = await pool.query<AccountDetails>(
    `select u.id, u.email, u.email_verified, u.name, u.plan, u.created_at, u.suspended_at, u.suspended_reason, u.deletes_at,
       ${count("links")} as links, ${count("links", "disabled_at is not null")} as disabled_links,
       ${count("buckets")} as buckets, ${count("api_keys")} as keys, ${count("sessions")} as sessions,
       ${count("identities")} as identities, ${count("reports", "closed_at is null")} as open_reports,
       array(select domain from domains where account_id = u.id and deleted_at is null order by domain) as domains
     from workspaces u where u.id = $1`,
    [idOrNull(id)],
  );
  const [row] = rows;
  if (!row) throw notFound("PersonalAccount");
  return {
    ...row,
    created_at: isoTime(row.created_at),
    suspended_at: isoTime(row.suspended_at),
    deletes_at: isoTime(row.deletes_at),
  };
}
