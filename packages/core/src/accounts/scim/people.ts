import { inTransaction } from "../../db/connection.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { fixed, joined, type Sql, sql } from "../../db/sql.ts";
import type { Database } from "../../db/statements.ts";
import { notFound, refusal } from "../../kernel/errors.ts";
import { emailToAscii } from "../../kernel/host-names.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { emailAddress } from "../../kernel/validation/strings.ts";
import { type Found, personWith } from "../users/person.ts";
import { nameFrom } from "../users/user.schema.ts";
import { addMember, type Locked, lockWorkspace, removeMember } from "../workspaces/members.ts";
import { endAccess } from "./access.ts";
import { type ActivityNote, type DirectoryCall, recordNotes } from "./call.ts";
import { groupsOf, roleOfGroups } from "./roles.ts";
import type {
  Directory,
  DirectoryFilter,
  DirectoryPerson,
  DirectoryReference,
  PersonAttributes,
} from "./scim.types.ts";

interface Row {
  id: string;
  user_id: string;
  user_name: string;
  external_id: string | null;
  email: string;
  attributes: Pick<PersonAttributes, "displayName" | "name" | "emails">;
  active: boolean;
  made_person: boolean;
  signed_in: boolean;
  created_at: string;
  updated_at: string;
  groups: DirectoryReference[];
}

const columns =
  fixed(`u.id, user_id, user_name, u.external_id, email, attributes, active, made_person, signed_in,
  u.created_at, u.updated_at, coalesce((
    select json_agg(json_build_object('id', g.id, 'display', g.display_name) order by g.display_name)
    from scim_group_members m join scim_groups g on g.id = m.group_id where m.scim_user_id = u.id), '[]') as groups`);

const attributesOf = (row: Row): PersonAttributes => ({
  userName: row.user_name,
  ...(row.external_id !== null && { externalId: row.external_id }),
  ...row.attributes,
  active: row.active,
});

const shownPerson = (row: Row): DirectoryPerson => ({
  id: row.id,
  ...attributesOf(row),
  groups: row.groups,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

/** The address to sign in with: the primary one, or else the one for work, or else the first, or else the user name. */
function addressOf({ userName, emails = [] }: PersonAttributes): string {
  const chosen =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === "work") ?? emails[0];
  const parsed = emailAddress.safeParse(chosen?.value ?? userName);
  if (parsed.success) return parsed.data;
  const message = chosen
    ? "is not an e-mail address"
    : "is required, since userName is not an e-mail address";
  throw refusal("BAD_REQUEST", "emails", "invalid_format", message, { format: "email" });
}

/** The name that others see; see `nameFrom`. */
const nameOf = ({ displayName, name = {} }: PersonAttributes, email: string): string =>
  nameFrom(
    displayName ?? name.formatted ?? [name.givenName, name.familyName].filter(Boolean).join(" "),
    email,
  );

const taken = (what: string) => refusal("CONFLICT", "", "conflict", what, { reason: "taken" });

/** Implements the people of `Directory`. */
export function peopleOf(
  call: DirectoryCall,
): Pick<Directory, "people" | "person" | "addPerson" | "changePerson" | "removePerson"> {
  const { deps, workspaceId, source } = call;

  async function read(database: Database, condition: Sql, end = fixed("")): Promise<Row[]> {
    const { rows } = await database.query<Row>(sql`select ${columns} from scim_users u
      where u.account_id = ${workspaceId} and removed_at is null and ${condition} ${end}`);
    return rows;
  }

  async function find(database: Database, id: string, lock = ""): Promise<Row> {
    const [row] = await read(database, sql`u.id = ${idOrNull(id)}`, fixed(lock));
    if (!row) throw notFound("User");
    return row;
  }

  /** Works in a locked workspace, and records what was done. */
  async function write<T>(
    work: (database: Database, workspace: Locked, notes: ActivityNote[]) => Promise<T>,
  ): Promise<T> {
    const notes: ActivityNote[] = [];
    const result = await inTransaction(deps.pool, async (database) =>
      work(database, await lockWorkspace(database, workspaceId), notes),
    ).catch((error: unknown) => {
      throw isUniqueViolation(error)
        ? taken("userName: another person of this directory has this name or address")
        : error;
    });
    await recordNotes(deps, workspaceId, notes, source);
    return result;
  }

  /** The operator gave this directory its token, so no policy for strangers holds for its people. */
  async function vouchFor(database: Database, email: string, name: string): Promise<Found> {
    const policy = { ...deps.policy, signUp: "open" } as const;
    const claim = { email, email_verified: true, name, by: "the directory" };
    const outcome = await personWith({ ...deps, policy }, database, claim);
    if (outcome.kind === "refused") throw outcome.error;
    return outcome;
  }

  async function join(database: Database, workspace: Locked, { id, user_id }: Row) {
    const groups = (await groupsOf(database, workspaceId, [id])).get(id) ?? [];
    const role = roleOfGroups(deps.groupRoles, groups, workspace);
    const isNew = await addMember(deps, database, workspace, {
      user_id,
      role: role ?? "viewer",
      via: "scim",
    });
    if (isNew || role === null) return;
    await database.query(
      "update members set role = $3 where workspace_id = $1 and user_id = $2 and role <> 'owner'",
      [workspaceId, user_id, role],
    );
  }

  /** Ends the membership and all access. The owner has to hand the workspace over first. */
  async function leave(database: Database, workspace: Locked, { user_id, made_person }: Row) {
    await removeMember(database, workspace, user_id);
    await endAccess(database, user_id, made_person);
  }

  /**
   * Who never signed in has only what the directory says of them, so a corrected address is theirs; if it is that of someone else
   * already, they are that person. Later it is not: a directory could take over what they have elsewhere.
   */
  async function rename(
    database: Database,
    workspace: Locked,
    row: Row,
    { email, name }: { email: string; name: string },
  ): Promise<Row> {
    if (!row.made_person) return row;
    await database.query("update workspaces set name = $2 where id = $1 and name <> $2", [row.user_id, name]);
    if (row.signed_in || row.email === email) return row;
    const { rowCount } = await database.query(
      `update workspaces set email = $2 where id = $1 and email = $3
         and not exists (select from workspaces where email = $2)`,
      [row.user_id, email, row.email],
    );
    if (rowCount === 1) return row;
    const { account, isNew: made_person } = await vouchFor(database, email, name);
    const { id: user_id } = account;
    await removeMember(database, workspace, row.user_id);
    await database.query("update scim_users set user_id = $2, made_person = $3 where id = $1", [
      row.id,
      user_id,
      made_person,
    ]);
    const moved = { ...row, user_id, made_person };
    if (row.active) await join(database, workspace, moved);
    return moved;
  }

  return {
    async people({ filter, offset, limit }) {
      const condition = conditionOf(filter);
      const { rows } = await deps.pool.query<{
        total: number;
      }>(sql`select count(*)::int as total from scim_users u
        where u.account_id = ${workspaceId} and removed_at is null and ${condition}`);
      const total = rows[0]?.total ?? 0;
      if (limit === 0 || offset >= total) return { total, entries: [] };
      const page = sql`order by u.id limit ${limit} offset ${offset}`;
      return { total, entries: (await read(deps.pool, condition, page)).map(shownPerson) };
    },
    person: async (id) => shownPerson(await find(deps.pool, id)),
    addPerson: (attributes) =>
      write(async (database, workspace, notes) => {
        const { userName, externalId, active, ...others } = attributes;
        const email = addressOf(attributes);
        const person = await vouchFor(database, email, nameOf(attributes, email));
        const now = deps.clock();
        // A person whom the directory had deleted is the same one again.
        const { rows } = await database.query<{ id: string }>(
          `insert into scim_users (id, account_id, user_id, user_name, external_id, email, attributes, active, made_person,
             created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
           on conflict (account_id, user_id) do update set user_name = $4, external_id = $5, email = $6, attributes = $7,
             active = $8, removed_at = null, updated_at = $10
             where scim_users.removed_at is not null
           returning id`,
          [
            deps.newId(),
            workspaceId,
            person.account.id,
            userName,
            externalId,
            email,
            others,
            active,
            person.isNew,
            now,
          ],
        );
        const [added] = rows;
        if (!added) throw taken(`emails: ${email} is the address of another person of this directory`);
        const row = await find(database, added.id);
        if (active) await join(database, workspace, row);
        else await leave(database, workspace, row);
        if (person.previousOwner !== null)
          notes.push(["email_changed", "someone else has verified the address", person.previousOwner]);
        notes.push(["directory_user_added", email]);
        return shownPerson(row);
      }),
    changePerson: (id, change) =>
      write(async (database, workspace, notes) => {
        const found = await find(database, id, "for update of u");
        const after = change(attributesOf(found));
        const { userName, externalId, active, ...others } = after;
        const email = addressOf(after);
        const before = await rename(database, workspace, found, { email, name: nameOf(after, email) });
        await database.query(
          `update scim_users set user_name = $2, external_id = $3, email = $4, attributes = $5, active = $6, updated_at = $7
           where id = $1`,
          [before.id, userName, externalId, email, others, active, deps.clock()],
        );
        if (active && !before.active) {
          await join(database, workspace, before);
          notes.push(["directory_user_activated", email]);
        } else if (!active && before.active) {
          await leave(database, workspace, before);
          notes.push(...deactivation("directory_user_deactivated", before, workspace));
        }
        return shownPerson(await find(database, before.id));
      }),
    removePerson: (id) =>
      write(async (database, workspace, notes) => {
        const row = await find(database, id, "for update of u");
        await leave(database, workspace, row);
        await database.query("delete from scim_group_members where scim_user_id = $1", [row.id]);
        notes.push(...deactivation("directory_user_removed", row, workspace));
        // What keeps them out stays, and nothing else.
        await database.query(
          `update scim_users set active = false, removed_at = $2, updated_at = $2, user_name = id::text, external_id = null,
             email = '', attributes = '{}' where id = $1`,
          [row.id, deps.clock()],
        );
      }),
  };
}

/** For the workspace, and for the person. */
const deactivation = (
  action: "directory_user_deactivated" | "directory_user_removed",
  { email, user_id }: Row,
  { name }: Locked,
): ActivityNote[] => [
  [action, email],
  ["sessions_ended", `the directory of ${name}`, user_id],
];

function conditionOf({ id, userName, displayName, externalId, email, active }: DirectoryFilter): Sql {
  const conditions = [
    fixed("true"),
    ...(id === undefined ? [] : [sql`u.id = ${idOrNull(id)}`]),
    ...(userName === undefined ? [] : [sql`lower(user_name) = lower(${userName})`]),
    ...(displayName === undefined ? [] : [sql`lower(attributes ->> 'displayName') = lower(${displayName})`]),
    ...(externalId === undefined ? [] : [sql`u.external_id = ${externalId}`]),
    ...(email === undefined ? [] : [sql`email = ${emailToAscii(email)}`]),
    ...(active === undefined ? [] : [sql`active = ${active}`]),
  ];
  return joined(conditions, " and ");
}
