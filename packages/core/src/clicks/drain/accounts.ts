import type { Pool } from "pg";
import { sqlArray } from "./sql-array.ts";

/** Accounts of links that are and that were, which never change; a link that belongs to nobody is not in it. */
export async function accountsOf(
  pool: Pool,
  links: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; account_id: string }>({
    name: "accounts-of-links",
    text: `select id, account_id from links where id = any($1::uuid[]) and account_id is not null
           union all
           select id, account_id from deleted_links where id = any($1::uuid[]) and account_id is not null`,
    values: [sqlArray([...links])],
  });
  return new Map(rows.map(({ id, account_id }) => [id, account_id]));
}
