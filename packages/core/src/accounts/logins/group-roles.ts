import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Role } from "../../kernel/roles.ts";
import { recordActivity, serviceActor } from "../activity/record.ts";
import { isDeactivated } from "../scim/access.ts";
import { type ActivityNote, recordNotes, type ScimDeps } from "../scim/call.ts";
import { roleBySettings } from "../scim/roles.ts";
import { addMember, lockWorkspace, removeMember } from "../workspaces/members.ts";

type GroupDeps = Omit<ScimDeps, "randomBytes" | "refusals" | "limits" | "policy">;

/** A workspace in which groups can give a role, or have given one, and the person's place there. */
interface Candidate {
  id: string;
  slug: string | null;
  role: Role | null;
  via: string | null;
  granted: boolean;
}

/**
 * Gives a person who signs in with a provider the roles of their groups there, and takes back what this provider's groups gave
 * before. Roles that people got in another way stay, as does the owner's.
 */
export async function applyGroupRoles(
  deps: GroupDeps,
  { userId, email, provider }: { userId: string; email: string; provider: string },
  groups: readonly string[],
): Promise<void> {
  const { pool, groupRoles } = deps;
  const named = groupRoles.filter(({ group }) => groups.includes(group));
  const places = named.filter(({ role }) => role !== "operator").map(({ workspace }) => workspace);
  const { rows } = await pool.query<Candidate>(
    `select w.id, w.slug, m.role, m.via, g.user_id is not null as granted from workspaces w
     left join members m on m.workspace_id = w.id and m.user_id = $1
     left join group_grants g on g.account_id = w.id and g.user_id = $1 and g.provider = $2
     where g.user_id is not null or (not w.personal and w.erased_at is null and w.deletes_at is null
       and (w.slug = any ($3) or w.id::text = any ($3) or '*' = any ($3)))
     order by w.id`,
    [userId, provider, places],
  );
  for (const candidate of rows) {
    const role = roleBySettings(groupRoles, groups, candidate);
    // Most sign-ins change nothing.
    if (role === candidate.role ? candidate.granted : role === null && !candidate.granted) continue;
    if (role !== null && candidate.via !== null && candidate.via !== "group") continue;
    const notes: ActivityNote[] = [];
    try {
      await inTransaction(pool, (database) => place(database, candidate.id, role, notes));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await recordActivity(deps, serviceActor(candidate.id), "group_refused", `${email}: ${error.message}`);
    }
    await recordNotes(deps, candidate.id, notes);
  }
  await applyOperator(
    deps,
    userId,
    provider,
    named.some(({ role }) => role === "operator"),
  );

  /** Adds, changes or removes the person in a workspace, which it locks. */
  async function place(
    database: Database,
    id: string,
    role: Exclude<Role, "owner"> | null,
    notes: ActivityNote[],
  ): Promise<void> {
    const workspace = await lockWorkspace(database, id);
    const grant = [userId, id, provider];
    const { rows: members } = await database.query<{ role: Role; via: string }>(
      "select role, via from members where workspace_id = $1 and user_id = $2",
      [id, userId],
    );
    const [member] = members;
    const isByGroup = member?.via === "group" && member.role !== "owner";
    if (role === null) {
      await database.query(
        "delete from group_grants where (user_id, account_id, provider) = ($1, $2, $3)",
        grant,
      );
      if (!isByGroup || (await hasGrant(database, userId, id))) return;
      await removeMember(database, workspace, userId);
      notes.push(["member_removed", `${email}, who has left a group`]);
      return;
    }
    if ((member && !isByGroup) || (await isDeactivated(database, id, userId))) return;
    if (!member) {
      await addMember(deps, database, workspace, { user_id: userId, role, via: "group" });
      notes.push(["member_added", `${email} as ${role}, by a group`]);
    } else if (member.role !== role) {
      await database.query("update members set role = $3 where workspace_id = $1 and user_id = $2", [
        id,
        userId,
        role,
      ]);
      notes.push(["member_changed", `${email} from ${member.role} to ${role}, by a group`]);
    }
    await database.query("insert into group_grants values ($1, $2, $3) on conflict do nothing", grant);
  }
}

async function hasGrant(database: Database, userId: string, workspaceId: string | null): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>(
    `select exists (select from group_grants where user_id = $1 and account_id is not distinct from $2::uuid) as has`,
    [userId, workspaceId],
  );
  return rows[0]?.has === true;
}

/** Makes a person operator by a group, or no longer; whom an admin command made operator stays one. */
async function applyOperator(
  deps: GroupDeps,
  userId: string,
  provider: string,
  isOperator: boolean,
): Promise<void> {
  const change = await inTransaction(deps.pool, async (database) => {
    const set = (value: boolean) =>
      database.query("update workspaces set is_operator = $2 where id = $1 and is_operator <> $2", [
        userId,
        value,
      ]);
    if (!isOperator) {
      const { rowCount } = await database.query(
        "delete from group_grants where user_id = $1 and account_id is null and provider = $2",
        [userId, provider],
      );
      if (rowCount === 0 || (await hasGrant(database, userId, null))) return null;
      await set(false);
      return "operator_revoked" as const;
    }
    const { rowCount: isNew } = await set(true);
    if (isNew === 0 && !(await hasGrant(database, userId, null))) return null;
    await database.query("insert into group_grants values ($1, null, $2) on conflict do nothing", [
      userId,
      provider,
    ]);
    return isNew === 1 ? ("operator_granted" as const) : null;
  });
  if (change) await recordActivity(deps, serviceActor(userId), change, "a group");
}
