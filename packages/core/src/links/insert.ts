import type { QueryResult } from "pg";
import type { Deps } from "../deps.ts";
import { noLoop } from "../domains/index.ts";
import type { LinkRow } from "./link.view.ts";

export type NewLinkRow = LinkRow & { account_id: string | null };

/** One prepared statement: creating links is a hot path, and the ORM's unit of work costs more than the insert. */
const statement = {
  name: "insert-link",
  text: `insert into links (id, account_id, domain_id, slug, destination, title, created_at, updated_at,
           expires_at, password_hash, geo_rules, ab_test)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
         where ${noLoop("$13", "$2")}`,
};

/** Inserts a link, as `insertWithUniqueSlug` wants it. */
export function insertLink(
  { pool }: Deps,
  row: NewLinkRow,
  destinationHosts: readonly string[],
): Promise<QueryResult> {
  const values = [
    row.id,
    row.account_id,
    row.domain_id,
    row.slug,
    row.destination,
    row.title ?? null,
    row.created_at,
    row.updated_at,
    row.expires_at ?? null,
    row.password_hash ?? null,
    row.geo_rules ? JSON.stringify(row.geo_rules) : null,
    row.ab_test ? JSON.stringify(row.ab_test) : null,
    destinationHosts,
  ];
  return pool.query({ ...statement, values });
}
