import { inTransaction } from "../../db/connection.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { fixed, joined, type Sql, sql } from "../../db/sql.ts";
import type { Database } from "../../db/statements.ts";
import { notFound, refusal } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull, isId } from "../../kernel/validation/ids.ts";
import { lockWorkspace } from "../workspaces/members.ts";
import { type ActivityNote, type DirectoryCall, recordNotes } from "./call.ts";
import { withRoles } from "./roles.ts";
import type {
  Directory,
  DirectoryFilter,
  DirectoryGroup,
  DirectoryReference,
  MembersChange,
} from "./scim.types.ts";

interface Row {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: string;
  updated_at: string;
  members: DirectoryReference[] | null;
}

const members = fixed(`coalesce((
  select json_agg(json_build_object('id', u.id, 'display', u.email) order by u.email)
  from scim_group_members m join scim_users u on u.id = m.scim_user_id where m.group_id = g.id), '[]')`);

const shownGroup = (row: Row): DirectoryGroup => ({
  id: row.id,
  displayName: row.display_name,
  ...(row.external_id !== null && { externalId: row.external_id }),
  ...(row.members && { members: row.members }),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

/** Implements the groups of `Directory`. */
export function groupsIn(
  call: DirectoryCall,
): Pick<Directory, "groups" | "group" | "addGroup" | "changeGroup" | "removeGroup"> {
  const { deps, workspaceId, source } = call;

  async function read(database: Database, condition: Sql, withMembers: boolean, end = fixed("")) {
    const { rows } = await database.query<Row>(
      sql`select g.id, display_name, g.external_id, g.created_at, g.updated_at,
          ${withMembers ? members : fixed("null")} as members
        from scim_groups g where g.account_id = ${workspaceId} and ${condition} ${end}`,
    );
    return rows;
  }

  async function find(database: Database, id: string, withMembers: boolean, lock = ""): Promise<Row> {
    const [row] = await read(database, sql`g.id = ${idOrNull(id)}`, withMembers, fixed(lock));
    if (!row) throw notFound("Group");
    return row;
  }

  /**
   * Changes a group in a locked workspace, and then the roles of the people who were or are its members, for whom `change`
   * adds ids to `added`.
   */
  async function write(
    id: string,
    added: readonly string[],
    note: (row: Row) => ActivityNote,
    change: (database: Database) => Promise<unknown>,
  ): Promise<void> {
    const notes: ActivityNote[] = [];
    await inTransaction(deps.pool, async (database) => {
      const workspace = await lockWorkspace(database, workspaceId);
      const row = await find(database, id, false, "for update of g");
      const { rows } = await database.query<{ id: string }>(
        "select scim_user_id as id from scim_group_members where group_id = $1",
        [row.id],
      );
      const people = new Set([...rows.map((member) => member.id), ...added.filter(isId)]);
      notes.push(note(row));
      notes.push(
        ...(await withRoles(database, deps.groupRoles, workspace, Array.from(people), () =>
          change(database),
        )),
      );
    }).catch(explained);
    await recordNotes(deps, workspaceId, notes, source);
  }

  async function changeMembers(database: Database, id: string, { kind, ids }: MembersChange) {
    if (kind === "set") await database.query("delete from scim_group_members where group_id = $1", [id]);
    if (kind === "remove") {
      await database.query(
        "delete from scim_group_members where group_id = $1 and scim_user_id = any ($2::uuid[])",
        [id, ids.filter(isId)],
      );
      return;
    }
    const wanted = new Set(ids);
    const { rows } = await database.query<{ id: string }>(
      `select id from scim_users
       where account_id = $1 and removed_at is null and id = any ($2::uuid[]) for key share`,
      [workspaceId, ids.filter(isId)],
    );
    for (const row of rows) wanted.delete(row.id);
    const [unknown] = wanted;
    if (unknown !== undefined) {
      const message = `There is no person with the id ${unknown.slice(0, 60)} in this directory`;
      throw refusal("BAD_REQUEST", "members", "not_found", message, { resource: "user" });
    }
    await database.query(
      `insert into scim_group_members select $1, id from unnest($2::uuid[]) as id on conflict do nothing`,
      [id, rows.map((row) => row.id)],
    );
  }

  return {
    async groups({ filter, offset, limit }, withMembers) {
      const condition = conditionOf(filter);
      const { rows } = await deps.pool.query<{
        total: number;
      }>(sql`select count(*)::int as total from scim_groups g
        where g.account_id = ${workspaceId} and ${condition}`);
      const total = rows[0]?.total ?? 0;
      if (limit === 0 || offset >= total) return { total, entries: [] };
      const page = sql`order by g.id limit ${limit} offset ${offset}`;
      return { total, entries: (await read(deps.pool, condition, withMembers, page)).map(shownGroup) };
    },
    group: async (id, withMembers) => shownGroup(await find(deps.pool, id, withMembers)),
    async addGroup({ displayName, externalId }, ids) {
      const id = deps.newId();
      const now = deps.clock();
      const notes: ActivityNote[] = [["directory_group_added", displayName]];
      await inTransaction(deps.pool, async (database) => {
        const workspace = await lockWorkspace(database, workspaceId);
        await database.query(
          `insert into scim_groups (id, account_id, display_name, external_id, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $5)`,
          [id, workspaceId, displayName, externalId, now],
        );
        const change = () => changeMembers(database, id, { kind: "add", ids });
        notes.push(...(await withRoles(database, deps.groupRoles, workspace, ids.filter(isId), change)));
      }).catch(explained);
      await recordNotes(deps, workspaceId, notes, source);
      return shownGroup(await find(deps.pool, id, true));
    },
    changeGroup: (id, { displayName, externalId, members: changes }) =>
      write(
        id,
        changes.flatMap((change) => change.ids),
        (row) => ["directory_group_changed", displayName ?? row.display_name],
        async (database) => {
          await database.query(
            `update scim_groups set display_name = coalesce($2, display_name), updated_at = $5,
               external_id = case when $3 then $4 else external_id end
             where id = $1`,
            [id, displayName, externalId !== undefined, externalId, deps.clock()],
          );
          for (const change of changes) await changeMembers(database, id, change);
        },
      ),
    removeGroup: (id) =>
      write(
        id,
        [],
        (row) => ["directory_group_removed", row.display_name],
        (database) => database.query("delete from scim_groups where id = $1", [id]),
      ),
  };
}

function explained(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const message = "displayName: is the name of another group of this directory";
  throw refusal("CONFLICT", "", "conflict", message, { reason: "taken" });
}

function conditionOf({ id, displayName, externalId, member }: DirectoryFilter): Sql {
  const conditions = [
    fixed("true"),
    ...(id === undefined ? [] : [sql`g.id = ${idOrNull(id)}`]),
    ...(displayName === undefined ? [] : [sql`lower(display_name) = lower(${displayName})`]),
    ...(externalId === undefined ? [] : [sql`g.external_id = ${externalId}`]),
    ...(member === undefined
      ? []
      : [
          sql`exists (select from scim_group_members where group_id = g.id and scim_user_id = ${idOrNull(member)})`,
        ]),
  ];
  return joined(conditions, " and ");
}
