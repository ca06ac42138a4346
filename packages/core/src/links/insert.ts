import type { Deps } from "../deps.ts";
import type { InsertOutcome } from "./claim.ts";
import type { LinkRow } from "./link.view.ts";

export type NewLinkRow = LinkRow & { account_id: string | null };

/** PostgreSQL's code for a unique constraint that would be violated. */
const uniqueViolation = "23505";

/** One prepared statement: creating links is a hot path, and the ORM's unit of work costs more than the insert. */
const statement = {
  name: "insert-link",
  text: `insert into links (id, account_id, domain_id, slug, destination, title, created_at, updated_at,
           expires_at, password_hash, geo_rules, ab_test)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
         where not exists (select from domains where domain = any($13) and status = 'verified')`,
};

/**
 * Inserts a link unless its slug is taken or one of its destinations is on a verified custom domain, which would be a
 * loop: both are decided by the database, in the statement that inserts.
 */
export async function insertLink(
  { pool }: Deps,
  row: NewLinkRow,
  destinationHosts: readonly string[],
): Promise<InsertOutcome> {
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
  try {
    const { rowCount } = await pool.query({ ...statement, values });
    return rowCount === 1 ? "inserted" : "loop";
  } catch (error) {
    if ((error as { code?: unknown }).code === uniqueViolation) return "slug taken";
    throw error;
  }
}
