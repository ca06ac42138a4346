import type { QueryResult } from "pg";
import type { Database } from "../db/statements.ts";
import { stillUsable } from "../domains/sharing.ts";
import { loopsAmong, noLoop } from "../redirects/destination.ts";
import type { InsertFound } from "../redirects/fallback/store.ts";
import { anyRules, noRules, type RuleColumns } from "../redirects/rules/rules.ts";
import type { NewLinkRow } from "./link.row.ts";
import { keyOfTag } from "../kernel/text.ts";
import { addTags, roomForTags, tagging } from "./tags/tagging.ts";

/** The statements that insert links, however they arrive. Redirecting processes load this file: no ORM. */

/** The columns of every new link besides its rules. */
type BaseColumn = Exclude<keyof NewLinkRow, keyof RuleColumns>;

/** Refuses, at compile time, a row with a property that would not be inserted. */
type Exactly<Row extends NewLinkRow> = Row & Record<Exclude<keyof Row, keyof NewLinkRow>, never>;

const baseColumns = Object.keys({
  id: true,
  account_id: true,
  domain_id: true,
  slug: true,
  destination: true,
  title: true,
  notes: true,
  qr: true,
  created_at: true,
  created_by: true,
  made_by: true,
  updated_at: true,
} satisfies Record<BaseColumn, true>) as BaseColumn[];

const columns = [...baseColumns, ...anyRules.map(({ column }) => column)];
const parameters = [...columns, "hosts", "tags", "keys"];
const placeholderOf = (name: BaseColumn | "hosts" | "tags" | "keys") => `$${parameters.indexOf(name) + 1}`;

/** One prepared statement: creating links is a hot path, and the ORM's unit of work costs more than the insert. */
const statement = {
  name: "insert-link",
  text: `insert into links (${columns.join(", ")})
         select ${columns.map((_, at) => `$${at + 1}`).join(", ")}
         where ${noLoop(placeholderOf("hosts"), placeholderOf("account_id"))}
           and ${stillUsable(placeholderOf("domain_id"), placeholderOf("account_id"))}`,
};

const account = `${placeholderOf("account_id")}::uuid`;
const keys = `${placeholderOf("keys")}::text[]`;

/** The same with tags. It returns the inserted link, so that its number of rows means the same. */
const statementWithTags = {
  name: "insert-tagged-link",
  text: `with link as (${statement.text} and ${roomForTags(keys, account)} returning id),
         ${tagging(
           `select link.id as link_id, name, key from link, unnest(${placeholderOf("tags")}::text[], ${keys}) t (name, key)`,
           account,
           "new links",
         )}
         select id from link`,
};

/**
 * Inserts a link with its tags, unless one of `destinationHosts` makes a loop, the account has no room for more tags, or its
 * domain is not shared with the account any more.
 */
export function insertRow<Row extends NewLinkRow>(
  database: Database,
  row: Exactly<Row>,
  destinationHosts: readonly string[],
  tags: readonly string[] = [],
): Promise<QueryResult> {
  const values = [
    ...baseColumns.map((column) => row[column]),
    ...anyRules.map(({ column, type }) => type.toParameter(row[column as keyof RuleColumns])),
    destinationHosts,
  ];
  if (tags.length === 0) return database.query({ ...statement, values });
  return database.query({ ...statementWithTags, values: [...values, tags, tags.map(keyOfTag)] });
}

/** A link to insert, the hosts that it sends visitors to, and its tags. */
interface RowToInsert {
  row: NewLinkRow;
  hosts: readonly string[];
  tags: readonly string[];
}

/**
 * Inserts many links of an account with one statement, and their tags with another, except those whose slug is taken or that
 * make a loop. Returns the ids of the inserted ones. Of two with the same slug, the first is inserted. Rows are written in
 * the order of their slugs, so that two such statements cannot wait for each other.
 */
export async function insertRows(
  database: Database,
  accountId: string,
  links: readonly RowToInsert[],
): Promise<Set<string>> {
  const hosts = [...new Set(links.flatMap((link) => link.hosts))];
  const { rows } = await database.query<{ id: string }>({
    ...manyStatement,
    values: [JSON.stringify(links.map((link) => ({ row: link.row, hosts: link.hosts }))), hosts, accountId],
  });
  const inserted = new Set(rows.map(({ id }) => id));
  const tagged = links.flatMap(({ row: { id }, tags }) => (inserted.has(id) ? [{ id, tags }] : []));
  await addTags(database, accountId, tagged, "new links");
  return inserted;
}

/** The values are read as the table's own types, from what JSON makes of them. */
const manyStatement = {
  name: "insert-links",
  text: `with loops as (${loopsAmong("$2", "$3")})
         insert into links (${columns.join(", ")})
         select ${columns.map((column) => `new.${column}`).join(", ")}
         from jsonb_array_elements($1::jsonb) with ordinality as sent (link, number),
           jsonb_populate_record(null::links, link -> 'row') as new
         where not exists (select from loops where link -> 'hosts' ? domain)
         order by new.domain_id, new.slug, number
         on conflict do nothing
         returning id`,
};

/** Inserts a link without options that another service had, see `insertRows`. */
export const insertFound: InsertFound = async (database, { host, ...found }) => {
  const more = {
    title: null,
    notes: null,
    qr: null,
    created_by: null,
    made_by: null,
    updated_at: found.created_at,
  };
  const links = [{ row: { ...noRules, ...more, ...found }, hosts: [host], tags: [] }];
  return (await insertRows(database, found.account_id, links)).size === 1;
};

/** Sets the totals that another service counted; a larger existing one stays. */
export async function setImportedClicks(
  database: Database,
  accountId: string,
  totals: readonly { id: string; imported_clicks?: number | undefined }[],
): Promise<void> {
  const known = totals.filter(({ imported_clicks = 0 }) => imported_clicks > 0);
  if (known.length === 0) return;
  await database.query(
    `update links set imported_clicks = total
     from unnest($2::uuid[], $3::bigint[]) as t (id, total)
     where links.id = t.id and account_id = $1 and imported_clicks < total`,
    [accountId, known.map(({ id }) => id), known.map(({ imported_clicks }) => imported_clicks)],
  );
}
