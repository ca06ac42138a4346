import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import type { Author } from "../../kernel/context.ts";
import { fromColumn } from "../../history/change.ts";
import type { LinkChange } from "./history.schema.ts";
import type { Destinations } from "../../domains/redirect-loops.ts";
import { allOptionKinds, anyRules } from "../../redirects/rules/rules.ts";
import { type Maker, readMakers } from "../../rpc/makers.ts";
import { hidden } from "@terse/importers/text";
import { sortedTags } from "../tags/tag.schema.ts";
import { storedDestinationsOf } from "../options.ts";

/** A change as the statements of lists read it. */
export interface ChangeRow {
  id: string;
  at: string;
  action: LinkChange["action"];
  by_kind: Author["kind"];
  by_name: string | null;
  link_id: string | null;
  slug: string | null;
  links: number;
  undoes: string | null;
  undone_by: string | null;
  before: Columns | null;
  after: Columns | null;
}

/** The known facts about a link's creation. */
export interface CreationRow {
  id: string;
  at: string;
  created_by: string | null;
  /** The person who created it by a session */
  creator: Maker;
  slug: string;
  undone_by: string | null;
}

export const toChange = ({ by_kind, by_name, before, after, ...row }: ChangeRow): LinkChange => ({
  ...row,
  at: new Date(row.at).toISOString(),
  by: { kind: by_kind, name: by_name },
  ...(row.links !== 1 && { link_id: null, slug: null }),
  fields: fieldChanges(before, after),
});

/** `first` is the link as created, as far as known. */
export const toCreation = (
  { created_by, creator, ...row }: CreationRow,
  first: Columns | undefined,
): LinkChange => ({
  ...row,
  at: new Date(row.at).toISOString(),
  by: fromColumn(created_by, creator?.name ?? null),
  action: "create",
  link_id: row.id,
  links: 1,
  fields: first === undefined ? {} : fieldChanges(null, first),
  undoes: null,
});

/** SQL: the slug of an account's link in a change `l`, also of a deleted one; of one that has moved away, as it was then. */
export const slugOf = (id: string, account: string) => `coalesce(
  (select slug from links where id = ${id} and account_id = ${account}),
  (select slug from deleted_links where id = ${id} and account_id = ${account}), l.before ->> 'slug')`;

/** SQL: a row of links as JSON, with the names of its tags; null for null. */
export const rowOf = (link: string) =>
  `(to_jsonb(${link}) || jsonb_build_object('tags', tags_of_link(${link}.id)))`;

/** SQL: the change that undid the creation of the link with this id. */
export const undoneCreation = (id: string) =>
  `(select u.id from changes u where u.undoes = ${id} and u.undone_by is null order by u.at desc limit 1)`;

/**
 * Links as they were at a time, by id: their present or last state with all later changes taken back. Without a time,
 * as they were created. The caller makes sure that they are the account's.
 */
export async function linksAt(
  database: Database,
  ids: readonly string[],
  at?: Date,
): Promise<Map<string, Columns>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{ id: string; columns: Columns }>({
    name: "links-at",
    // Of the values of a column, the oldest comes last and is kept.
    text: `select asked.id, coalesce(${rowOf("links")}, '{}') || coalesce(later.columns, '{}') as columns
           from unnest($1::uuid[]) as asked (id)
           left join links on links.id = asked.id
           cross join lateral (
             select jsonb_object_agg(key, value order by l.place desc) as columns
             from link_changes l join changes c on c.id = l.change_id, jsonb_each(l.before)
             where l.link_id = asked.id and c.at > coalesce($2::timestamptz, '-infinity')
           ) later
           where links.id is not null or later.columns is not null`,
    values: [ids, at ?? null],
  });
  return new Map(rows.map(({ id, columns }) => [id, columns]));
}

/** A link's row, or some of its columns, as JSON in the database. */
export type Columns = Readonly<Record<string, unknown>>;

const options = new Map(allOptionKinds.map((option) => [option.column, option]));

/** The columns of a link that its owner sets. */
export const ownColumns = ["slug", "destination", "title", "notes", "qr", "is_active", ...options.keys()];

/** Those of a creation, a deletion and a restoration. Tags are recorded like a column: an array of names. */
export const wholeColumns = [...ownColumns, "tags"];

/** The names of tags among columns of a link; undefined if they are not among them. */
export const tagsIn = ({ tags }: Columns): readonly string[] | undefined =>
  Array.isArray(tags) ? tags.map(String) : undefined;

/** The columns of rules as the ORM reads them; others unchanged. */
export function readColumns<Row extends object>(columns: Row): Row {
  const read: Record<string, unknown> = Object.fromEntries(Object.entries(columns));
  for (const { column, type } of anyRules) {
    const value = read[column];
    if (type.name === "timestamp" && typeof value === "string") read[column] = new Date(value);
  }
  return read as Row;
}

/**
 * A recorded change as clients see it. Null as `before` or `after` means that the link did not exist. A column
 * unknown to this version is shown as stored.
 */
function fieldChanges(before: Columns | null, after: Columns | null): LinkChange["fields"] {
  const whole = before === null || after === null;
  const columns = whole
    ? wholeColumns.filter((name) => !isEmpty((before ?? after)?.[name]))
    : Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  const [from, to] = [shown(before), shown(after)];
  return Object.fromEntries(
    columns.map((column) => [nameOf(column), { from: from(column), to: to(column) }]),
  );
}

const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);

/** The field that a column is for clients. */
export const nameOf = (column: string) =>
  column === "made_by" ? "created_by" : (options.get(column)?.field ?? column);

/** The changes, in which links were handed over from one person to another. */
export async function withMakers(em: Em, changes: readonly LinkChange[]): Promise<LinkChange[]> {
  const ids = changes.flatMap(({ fields: { created_by } }) => [created_by?.from, created_by?.to].map(idIn));
  const makerOf = await readMakers(em, ids);
  return changes.map((change) => {
    const { created_by, ...fields } = change.fields;
    if (created_by === undefined) return change;
    const [from, to] = [created_by.from, created_by.to].map((id) => makerOf(idIn(id)));
    return { ...change, fields: { ...fields, created_by: { from, to } } };
  });
}

const idIn = (value: unknown) => (typeof value === "string" ? value : null);

function shown(stored: Columns | null): (column: string) => unknown {
  if (stored === null) return () => null;
  const read = readColumns(stored);
  return (column) => {
    const value = read[column] ?? null;
    const option = options.get(column);
    if (option?.isHashed) return value === null ? null : hidden;
    if (option) return option.toOutput(value);
    if (column === "tags") return sortedTags(tagsIn(stored) ?? []);
    if (column === "is_active") return value === true ? 1 : 0;
    return value instanceof Date ? value.toISOString() : value;
  };
}

/** The destinations among columns of a link. */
export const destinationsIn = (columns: Columns): Destinations =>
  storedDestinationsOf({ destination: "", ...readColumns(columns) }).filter(([, url]) => url !== "");
