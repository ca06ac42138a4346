import type { Database } from "../../db/statements.ts";
import { isAbove, type Role } from "../../kernel/roles.ts";
import type { ActivityNote } from "./call.ts";
import type { GroupRole } from "./scim.types.ts";

type GivenRole = Exclude<Role, "owner">;

/** A workspace as `GroupRole` names it. */
interface Named {
  id: string;
  slug: string | null;
}

/** Groups of a directory with these names give a role without any setting. */
const namedRoles: Readonly<Record<string, GivenRole>> = {
  "terse-viewers": "viewer",
  "terse-editors": "editor",
  "terse-admins": "admin",
};

/** The largest role that groups give in a workspace by the settings; null if none does. */
export function roleBySettings(
  groupRoles: readonly GroupRole[],
  groups: readonly string[],
  { id, slug }: Named,
): GivenRole | null {
  const roles = groupRoles.flatMap(({ group, workspace, role }) =>
    role !== "operator" &&
    groups.includes(group) &&
    (workspace === "*" || workspace === id || workspace === slug)
      ? [role]
      : [],
  );
  return largest(roles);
}

/** The largest role that groups of a workspace's directory give there. */
export const roleOfGroups = (
  groupRoles: readonly GroupRole[],
  groups: readonly string[],
  workspace: Named,
): GivenRole | null =>
  largest([
    roleBySettings(groupRoles, groups, workspace),
    ...groups.map((name) => namedRoles[name.toLowerCase()] ?? null),
  ]);

const largest = (roles: readonly (GivenRole | null)[]): GivenRole | null =>
  roles.reduce((most, role) => (role !== null && (most === null || isAbove(role, most)) ? role : most), null);

/** The names of the groups of people in a directory, by the id of the person there. */
export async function groupsOf(
  database: Database,
  workspaceId: string,
  people: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await database.query<{ scim_user_id: string; names: string[] }>(
    `select scim_user_id, array_agg(display_name) as names
     from scim_group_members join scim_groups g on g.id = group_id
     where g.account_id = $1 and scim_user_id = any ($2) group by scim_user_id`,
    [workspaceId, people],
  );
  return new Map(rows.map(({ scim_user_id, names }) => [scim_user_id, names]));
}

/**
 * Makes a change of groups, and gives the people whom it concerns the roles that their groups give afterwards. Whoever had a
 * role by a group and has none any more becomes a viewer; a role that no group gave stays. The owner's stays always.
 */
export async function withRoles(
  database: Database,
  groupRoles: readonly GroupRole[],
  workspace: Named,
  people: readonly string[],
  change: () => Promise<unknown>,
): Promise<ActivityNote[]> {
  const before = await groupsOf(database, workspace.id, people);
  await change();
  const after = await groupsOf(database, workspace.id, people);
  const roleIn = (groups: Map<string, string[]>, id: string) =>
    roleOfGroups(groupRoles, groups.get(id) ?? [], workspace);
  const byRole = new Map<GivenRole, string[]>();
  for (const id of people) {
    const next = roleIn(after, id) ?? (roleIn(before, id) === null ? null : "viewer");
    if (next) byRole.set(next, [...(byRole.get(next) ?? []), id]);
  }
  const notes: ActivityNote[] = [];
  for (const [role, ids] of byRole) {
    const { rows } = await database.query<{ email: string; before: Role }>(
      `update members m set role = $3
       from scim_users s join members old on old.workspace_id = s.account_id and old.user_id = s.user_id
       where m.workspace_id = $1 and s.account_id = $1 and s.id = any ($2) and m.user_id = s.user_id
         and m.role not in ('owner', $3)
       returning s.email, old.role as before`,
      [workspace.id, ids, role],
    );
    for (const { email, before: old } of rows)
      notes.push(["member_changed", `${email} from ${old} to ${role}, by a group`]);
  }
  return notes;
}
