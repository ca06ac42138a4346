import type { Pool, PoolClient, QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Sums } from "../drain/prepare/tally.ts";

/**
 * The statements on `click_permits`. A row has what a writer of the click log took of a link's limited clicks (`granted`), and
 * how many of those are counted. What all rows of a link have granted but not counted is open: those visits are being
 * answered, or are in a click log. The link's `click_count` and what is open never exceed its limit together, because rows are
 * changed only by who has locked the link's row.
 */

/** SQL: the open permits of `links.id`. */
const open = `(select coalesce(sum(granted - counted), 0) from click_permits where link_id = links.id)`;

/** One attempt of a writer to take clicks of a link. */
export interface Attempt {
  linkId: string;
  writer: string;
  /** Increases with each attempt of the writer */
  turn: number;
  /** Zero only undoes */
  wanted: number;
  /** The writer's first attempt for this link of which it does not know whether it was made; undone if it was */
  undone: number | null;
}

/** `limit` is null if the link has none by now; `granted` are the clicks that the writer may redirect. */
export type Granted = { limit: number | null; granted: number } | "deleted";

/** Shorter than the time that visits wait, so that no attempt keeps a connection after it was given up. */
const lockTimeout = "set local lock_timeout = '1500ms'";

/**
 * Takes clicks, as many as are left. Throws if a later attempt was made before this one: its network delayed it, and nobody
 * waits for it any more.
 */
export async function takeClicks(pool: Pool, attempt: Attempt): Promise<Granted> {
  const { linkId, writer, turn, wanted, undone } = attempt;
  let result: Granted = "deleted";
  await inTransaction(pool, async (database) => {
    await database.query(lockTimeout);
    const { rows } = await database.query<{ click_limit: number | null; click_count: string }>({
      name: "lock-limited-link",
      text: "select click_limit, click_count from links where id = $1 for no key update",
      values: [linkId],
    });
    const link = rows[0];
    if (link === undefined) return true;
    const { click_limit: limit } = link;
    const left = limit === null ? 0 : limit - Number(link.click_count);
    const granted = await grant(database, { linkId, writer, turn, wanted, undone }, left);
    result = { limit, granted };
    return true;
  });
  return result;
}

async function grant(
  database: PoolClient,
  { linkId, writer, turn, wanted, undone }: Attempt,
  left: number,
): Promise<number> {
  const { rows } = await database.query<{ last: number }>({
    name: "take-clicks",
    text: `insert into click_permits as own (link_id, writer, turn, last, granted, updated_at)
           select $1, $2, $3, taken, taken, now() from (
             select greatest(0, least($4::bigint, $5::bigint - coalesce(sum(granted - counted
               - case when writer = $2 and turn >= $6 then last else 0 end), 0)))::int as taken
             from click_permits where link_id = $1
           ) t
           on conflict (link_id, writer) do update set
             turn = excluded.turn, last = excluded.last, updated_at = excluded.updated_at,
             granted = own.granted - case when own.turn >= $6 then own.last else 0 end + excluded.granted
           where own.turn < excluded.turn
           returning last`,
    values: [linkId, writer, turn, wanted, left, undone ?? turn],
  });
  if (rows[0] === undefined) throw new Error("A later attempt to take clicks was made before this one");
  return rows[0].last;
}

/** Whether all clicks of a link's limit are taken. */
export async function isUsedUp(pool: Pool, linkId: string): Promise<boolean> {
  const { rows } = await pool.query<{ used_up: boolean | null }>({
    name: "is-used-up",
    text: `select click_count + ${open} >= click_limit as used_up from links where id = $1`,
    values: [linkId],
  });
  return rows[0]?.used_up ?? false;
}

/**
 * Closes the permits of clicks that are being counted. Their links are locked, as `addClickCounts` comes before. A database
 * that went back in time knows fewer permits than clicks: those of others stay open.
 */
export function countPermits(writer: string, links: readonly Sums[]): QueryConfig {
  const limited = links.filter((link) => link.limited > 0);
  const { table, values } = sqlColumns(2, {
    id: ["uuid", sqlArray(limited.map(({ id }) => id))],
    clicks: ["int", sqlArray(limited.map((link) => link.limited))],
  });
  return {
    name: "count-permits",
    text: `update click_permits p set counted = least(granted, counted + t.clicks), updated_at = now()
           from ${table} where p.link_id = t.id and p.writer = $1`,
    values: [writer, ...values],
  };
}

/** Gives back what a writer took and never used. Call it when the writer has ended and all its clicks are counted. */
export async function releasePermits(pool: Pool, writer: string): Promise<void> {
  await pool.query("delete from click_permits where writer = $1", [writer]);
}

/** Rows of one delete */
const maxDeleted = 10_000;

/** Deletes a limited number of rows in which nothing was open for a day, and returns the number. */
export async function deleteSomeClosedPermits(pool: Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from click_permits where ctid = any(array(
       select ctid from click_permits
       where granted = counted and updated_at < $1::timestamptz - interval '1 day'
       limit ${maxDeleted} for update skip locked))`,
    [now],
  );
  return rowCount ?? 0;
}
