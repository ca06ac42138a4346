import { issue, type IssueParams } from "../../kernel/issues.ts";
import type { Database } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";
import { type Columns, linksAt, rowOf } from "./change.view.ts";

/** A change that is to be undone. */
interface Target {
  by_kind: string;
  undoes: string | null;
  undone_by: string | null;
  /** True while a job makes the change */
  is_growing: boolean;
}

/** Locks a change of the account. Undefined if the id is of no recorded change; it may be that of a creation. */
export async function lockTarget(
  database: Database,
  accountId: string,
  id: string,
): Promise<Target | undefined> {
  const { rows } = await database.query<Target>({
    name: "lock-change",
    text: `select by_kind, undoes, undone_by,
             exists (select from jobs where jobs.id = changes.id and ended_at is null) as is_growing
           from changes where id = $1 and account_id = $2 for update`,
    values: [id, accountId],
  });
  return rows[0];
}

/** Throws 403 for a change by the operator, and 409 for one that is undone already, or that a job still makes. */
export function assertUndoable(id: string, { by_kind, undone_by, is_growing }: Target): void {
  if (by_kind === "admin") {
    const message = "The operator of this service made this change; ask them to undo it";
    throw new AppError("FORBIDDEN", cannotUndo(message, { reason: "operator", change: id }));
  }
  if (undone_by !== null) {
    const message = `Change ${id} was undone by change ${undone_by}; undo that one to redo it`;
    throw new AppError("CONFLICT", cannotUndo(message, { reason: "undone", change: id, by: undone_by }));
  }
  if (is_growing) {
    const message = `Change ${id} is still being made by a job: wait for it, or cancel it`;
    throw new AppError("CONFLICT", cannotUndo(message, { reason: "running", change: id }));
  }
}

/** Why a change cannot be undone; `path` names the field of a link that is in the way. */
export const cannotUndo = (message: string, params: IssueParams & { reason: string }, path = "") =>
  issue(path, "cannot_undo", message, params);

/** A link for which a change is to be undone. */
export interface Subject {
  link_id: string;
  /** The columns before the change; null if it created or restored the link */
  before: Columns | null;
  /** The columns after it; null if it deleted the link */
  after: Columns | null;
  /** The row as it is; null if there is none */
  current: Columns | null;
  /** The row as it would be with the columns after the change */
  withAfter: Columns | null;
  /** The last later change of each column that changed later */
  touched: Readonly<Record<string, string>> | null;
}

/** The later changes of the link, and its present state. "s" has the columns link_id, place, before and after. */
const selection = `select s.link_id, s.before, s.after, now.columns as current,
    to_jsonb(jsonb_populate_record(l, coalesce(s.after, '{}')))
      || jsonb_build_object('tags', coalesce(s.after -> 'tags', now.columns -> 'tags')) as "withAfter",
    (select jsonb_object_agg(key, x.change_id order by x.place)
     from link_changes x, jsonb_object_keys(coalesce(x.after, x.before)) key
     where x.link_id = s.link_id and x.place > s.place) as touched`;
const now = `cross join lateral (select ${rowOf("l")} as columns) now`;

/** Links of a change, all of them or those of one part. */
export interface Changed {
  changeId: string;
  ids: readonly string[];
}

/** The ids of the links of a change, at most as many as `limit`. */
export async function changedIds(database: Database, changeId: string, limit: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: "changed-ids",
    text: "select link_id as id from link_changes where change_id = $1 order by link_id limit $2",
    values: [changeId, limit],
  });
  return rows.map(({ id }) => id);
}

/** Locks links of a change, in the order of their ids, and reads everything that undoing it needs. */
export async function readSubjects(
  database: Database,
  accountId: string,
  { changeId, ids }: Changed,
): Promise<Subject[]> {
  await database.query({
    name: "lock-changed-links",
    text: "select from links where account_id = $1 and id = any($2::uuid[]) order by id for update",
    values: [accountId, ids],
  });
  const { rows } = await database.query<Subject>({
    name: "changed-links",
    text: `${selection} from link_changes s left join links l on l.id = s.link_id and l.account_id = $2 ${now}
           where s.change_id = $1 and s.link_id = any($3::uuid[]) order by s.link_id`,
    values: [changeId, accountId, ids],
  });
  return rows;
}

/** The same for a creation. It has no row in `changes`: the link's id serves as the id of the change. */
export async function readCreated(database: Database, accountId: string, linkId: string): Promise<Subject[]> {
  const values = [linkId, accountId];
  await database.query("select from links where id = $1 and account_id = $2 for update", values);
  const first = (await linksAt(database, [linkId])).get(linkId) ?? {};
  const { rows } = await database.query<Subject>({
    name: "created-link",
    text: `${selection} from (
             select id as link_id, 0 as place, null::jsonb as before, $3::jsonb as after from links
             where id = $1 and account_id = $2
             union all
             select id, 0, null, $3 from deleted_links where id = $1 and account_id = $2
           ) s left join links l on l.id = s.link_id ${now}`,
    values: [...values, JSON.stringify(first)],
  });
  return rows;
}

/** The columns that undoing changes would restore, unlocked. */
export async function columnsBefore(
  database: Database,
  accountId: string,
  { changeId, ids }: Changed,
): Promise<Columns[]> {
  const { rows } = await database.query<{ before: Columns }>({
    name: "columns-before",
    text: `select l.before from changes c join link_changes l on l.change_id = c.id
           where c.id = $1 and c.account_id = $2 and l.link_id = any($3::uuid[]) and l.before is not null`,
    values: [changeId, accountId, ids],
  });
  return rows.map(({ before }) => before);
}
