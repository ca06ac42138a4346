import type { Pool, PoolClient, QueryResult } from "pg";
import { loopsAmong, noLoop } from "../redirects/loops.ts";
import { anyRules, type RuleColumns } from "../redirects/rules/rules.ts";
import { addTags, roomForTags, tagging } from "./tags/tagging.ts";
import { keyOfTag } from "./tags/tag.schema.ts";
import type { QrLook } from "./qr/look.ts";

/** What every new link has; counters begin at their columns' defaults. */
interface BaseColumns {
  id: string;
  account_id: string | null;
  domain_id: string;
  slug: string;
  destination: string;
  title: string | null;
  notes: string | null;
  qr: QrLook | null;
  created_at: Date;
  created_by: string | null;
  updated_at: Date;
}

/** The columns of a new link. A column that is not listed here, or is not a rule's, does not compile. */
export interface NewLinkRow extends BaseColumns, RuleColumns {}

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
  updated_at: true,
} satisfies Record<keyof BaseColumns, true>) as (keyof BaseColumns)[];

const columns = [...baseColumns, ...anyRules.map(({ column }) => column)];
const parameters = [...columns, "hosts", "tags", "keys"];
const placeholderOf = (name: keyof BaseColumns | "hosts" | "tags" | "keys") =>
  `$${parameters.indexOf(name) + 1}`;

/** One prepared statement: creating links is a hot path, and the ORM's unit of work costs more than the insert. */
const statement = {
  name: "insert-link",
  text: `insert into links (${columns.join(", ")})
         select ${columns.map((_, at) => `$${at + 1}`).join(", ")}
         where ${noLoop(placeholderOf("hosts"), placeholderOf("account_id"))}`,
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
 * Inserts a link, and gives it tags. Inserts nothing if one of `destinationHosts` makes a loop, see `insertWithUniqueSlug`,
 * or if the account has no room for more tags.
 */
export function insertLink<Row extends NewLinkRow>(
  database: Pick<Pool, "query">,
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
export interface NewLinkRows {
  row: NewLinkRow;
  hosts: readonly string[];
  tags: readonly string[];
}

/**
 * Inserts many links of an account with one statement, and their tags with another, except those whose slug is taken or that
 * make a loop. Returns the ids of the inserted ones. Of two with the same slug, the first is inserted. Rows are written in
 * the order of their slugs, so that two such statements cannot wait for each other.
 */
export async function insertLinks(
  database: PoolClient,
  accountId: string,
  links: readonly NewLinkRows[],
): Promise<Set<string>> {
  const hosts = [...new Set(links.flatMap((link) => link.hosts))];
  const { rows } = await database.query<{ id: string }>({
    ...manyStatement,
    values: [JSON.stringify(links.map((link) => ({ row: link.row, hosts: link.hosts }))), hosts, accountId],
  });
  const inserted = new Set(rows.map(({ id }) => id));
  const tagged = links.filter(({ row, tags }) => tags.length > 0 && inserted.has(row.id));
  await addTags(
    database,
    accountId,
    tagged.map(({ row, tags }) => ({ id: row.id, tags })),
    "new links",
  );
  return inserted;
}

/** The values are read as the table's own types, from what JSON makes of them. */
const manyStatement = {
  name: "insert-links",
  text: `with loops as (${loopsAmong("$2", "$3")})
         insert into links (${columns.join(", ")})
         select ${columns.map((column) => `new.${column}`).join(", ")}
         from jsonb_array_elements($1::jsonb) with ordinality as sent (link, place),
           jsonb_populate_record(null::links, link -> 'row') as new
         where not exists (select from loops where link -> 'hosts' ? domain)
         order by new.domain_id, new.slug, place
         on conflict do nothing
         returning id`,
};
