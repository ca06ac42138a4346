import type { Pool } from "pg";
import { dayMs } from "../../../kernel/time.ts";

/** What expires of links. Several nodes may do it at once: each skips rows that another one has locked. */

/** Days after which a deleted link loses its destination and title. Its slug stays, as analytics show it. */
export const deletedLinkDays = 30;

/** Rows of one statement, during which counting waits. */
const maxRows = 1000;

/** Clears a limited number of links that were deleted long before `now`, and returns the number. */
export async function forgetSomeDeletedLinks(pool: Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `update deleted_links set destination = '', title = null where id = any(array(
       select id from deleted_links where destination <> '' and deleted_at < $1
       order by deleted_at limit ${maxRows} for update skip locked))`,
    [new Date(now.getTime() - deletedLinkDays * dayMs)],
  );
  return rowCount ?? 0;
}

/** A place in the order in which links are looked at. */
export interface Place {
  created_at: string;
  id: string;
}

/**
 * Deletes anonymous links without a click since the UTC day of `since`: those among the next thousand after a place, in the
 * order of their creation. Returns their number, and the last place; null after the last link. Reads the index of lists from
 * its end: without `account_id` in the order, PostgreSQL would sort all anonymous links.
 */
export async function deleteSomeUnusedLinks(
  pool: Pool,
  since: Date,
  after: Place | null,
): Promise<{ deleted: number; last: Place | null }> {
  const { rows } = await pool.query<{ deleted: number; last: Place | null }>({
    name: "delete-unused-links",
    text: `with looked_at as (
             select id, created_at from links
             where account_id is null and bucket_id is null and created_at < $1
               and (created_at, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, $4::uuid))
             order by account_id desc, created_at, id limit ${maxRows}
           ), unused as (
             select id from links
             where id in (
               select id from looked_at l where not exists (
                 select from link_days where link_id = l.id and clicks > 0 and day >= ($1 at time zone 'UTC')::date))
             order by id for update skip locked
           ), deleted as (
             delete from links using unused where links.id = unused.id returning links.id
           )
           select (select count(*) from deleted)::int as deleted,
             (select json_build_object('created_at', created_at, 'id', id) from looked_at
              order by created_at desc, id desc limit 1) as last`,
    values: [since, after?.created_at ?? null, after?.id ?? null, "00000000-0000-0000-0000-000000000000"],
  });
  return rows[0] ?? { deleted: 0, last: null };
}
