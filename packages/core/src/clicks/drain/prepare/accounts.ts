import type { Pool } from "pg";
import { sqlArray } from "../../../db/arrays.ts";

/** The account of a link, as clicks refer to it. */
export interface ClickAccount {
  id: string;
  /** Its id in raw clicks, which is shorter */
  number: number;
}

/** Returns the accounts of links, deleted ones included, by link id. Anonymous links have none. */
export async function accountsOf(
  pool: Pool,
  links: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ClickAccount>> {
  const { rows } = await pool.query<{ link_id: string } & ClickAccount>({
    name: "accounts-of-links",
    text: `select l.id as link_id, u.id, u.number from (
             select id, account_id from links where id = any($1::uuid[])
             union all
             select id, account_id from deleted_links where id = any($1::uuid[])
           ) l join users u on u.id = l.account_id`,
    values: [sqlArray([...links])],
  });
  return new Map(rows.map(({ link_id, id, number }) => [link_id, { id, number }]));
}
