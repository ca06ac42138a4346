import type { Database } from "../../db/statements.ts";
import { notFound, refusal } from "../../kernel/errors.ts";
import type { PlanTable } from "../../kernel/plans.ts";
import type { Plan } from "../../kernel/names.ts";
import type { Role } from "../../kernel/roles.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import { isDeactivated } from "../scim/access.ts";
import type { JoinedVia } from "./workspace.schema.ts";

/** What the rules of membership ask of a locked workspace. */
export interface Locked {
  id: string;
  slug: string | null;
  name: string;
  plan: Plan;
  personal: boolean;
  members: number;
}

/** Locks a workspace until the transaction ends, so that changes of its members queue. 404 if there is none. */
export async function lockWorkspace(database: Database, id: string): Promise<Locked> {
  const { rows } = await database.query<Locked>(
    `select id, slug, name, plan, personal from workspaces where id = $1 and erased_at is null for no key update`,
    [idOrNull(id)],
  );
  const [row] = rows;
  if (!row) throw notFound("Workspace");
  // A second statement, so that it sees what those before in the queue have committed.
  const { rows: counted } = await database.query<{ members: number }>(
    "select count(*)::int as members from members where workspace_id = $1",
    [id],
  );
  return { ...row, members: counted[0]?.members ?? 0 };
}

/** 403 if a workspace has no room for `more` members. */
export function requireRoom(plans: PlanTable, workspace: Locked, more: number): void {
  const { title, limits } = plans[workspace.plan];
  if (limits.members === null || workspace.members + more <= limits.members) return;
  const message = `The ${title} plan includes ${limits.members} members of a workspace, with open invitations`;
  const params = { max: limits.members, resource: "members", plan: workspace.plan };
  throw refusal("FORBIDDEN", "", "limit_reached", message, params);
}

interface NewMember {
  user_id: string;
  role: Exclude<Role, "owner">;
  via: JoinedVia;
}

/** Adds a member to a locked workspace; false if the person is one already. 403 if there is no room. */
export async function addMember(
  { plans, clock }: { plans: PlanTable; clock: () => Date },
  database: Database,
  workspace: Locked,
  { user_id, role, via }: NewMember,
): Promise<boolean> {
  const { rowCount: known } = await database.query(
    "select from members where workspace_id = $1 and user_id = $2",
    [workspace.id, user_id],
  );
  if (known === 1) return false;
  if (via === "domain" && (await isDeactivated(database, workspace.id, user_id))) {
    const message = "The directory of this workspace has deactivated you: its admins can invite you";
    throw refusal("FORBIDDEN", "", "forbidden", message, { reason: "deactivated" });
  }
  requireRoom(plans, workspace, 1);
  await database.query("insert into members values ($1, $2, $3, $4, $5)", [
    workspace.id,
    user_id,
    role,
    via,
    clock(),
  ]);
  return true;
}

/**
 * Ends a membership in a locked workspace, with the keys and connections that the person made there; false if there was none.
 * The owner stays: 409.
 */
export async function removeMember(database: Database, workspace: Locked, userId: string): Promise<boolean> {
  const { rows } = await database.query<{ role: Role }>(
    "delete from members where workspace_id = $1 and user_id = $2 returning role",
    [workspace.id, idOrNull(userId)],
  );
  const [gone] = rows;
  if (gone?.role === "owner") {
    const message = "A workspace always has an owner: transfer the ownership first";
    throw refusal("CONFLICT", "", "conflict", message, { reason: "last_owner" });
  }
  if (!gone) return false;
  for (const table of ["api_keys", "oauth_connections"])
    await database.query(`delete from ${table} where account_id = $1 and created_by = $2`, [
      workspace.id,
      userId,
    ]);
  await database.query(
    "update workspaces set offered_to = null, offered_until = null where id = $1 and offered_to = $2",
    [workspace.id, userId],
  );
  return true;
}

/** 403 if the person owns as many workspaces as one may. */
export async function requireOwnable(database: Database, userId: string, most: number): Promise<void> {
  // Two at once would both find room.
  await lockAccount(database, userId);
  const { rows } = await database.query<{ owned: number }>(
    "select count(*)::int as owned from members where user_id = $1 and role = 'owner'",
    [userId],
  );
  if ((rows[0]?.owned ?? 0) < most) return;
  const message = `A person owns at most ${most} workspaces: delete or transfer one first`;
  throw refusal("FORBIDDEN", "", "limit_reached", message, { max: most, resource: "workspaces" });
}
