import type { Pool } from "pg";
import type { Cursor } from "./cursor.ts";

/** Clicks of one account and kind in one answer; of more, the newest are read. */
export const maxClicks = 1000;

export interface NewClick {
  /** The transaction that stored it */
  xid: string;
  id: string;
}

export interface NewClicks {
  /** In the order of cursors */
  clicks: NewClick[];
  /** Older clicks that are new as well, and too many */
  skipped: number;
}

/** What is read of an account: clicks of people, or visits of bots. */
export interface Wanted {
  /** The account's number */
  account: number;
  after: Cursor;
  /** Reads up to this transaction; null: as far as possible */
  until: bigint | null;
  isBot: boolean;
}

interface Row {
  horizon: string;
  top: string;
  place: string | null;
  xid: string;
  id: string;
  clicks: string;
}

/**
 * Reads the clicks after a cursor of each account, and the horizon: all transactions before it have ended, so what they stored is
 * among these clicks; `top` is after the last that has ended. Transactions of other databases on the server, which may take hours,
 * do not hold it back.
 *
 * A row's `xmin` is the transaction that stored it, without its upper half; it is compared with the snapshot's `xmax`.
 */
export async function readNewClicks(
  pool: Pool,
  wanted: readonly Wanted[],
): Promise<{ horizon: bigint; top: bigint; found: NewClicks[] }> {
  const { rows } = await pool.query<Row>({
    name: "new-clicks",
    text: newClicks,
    values: [
      wanted.map(({ account }) => account),
      wanted.map(({ after }) => String(after.xid)),
      wanted.map(({ after }) => String(after.id)),
      wanted.map(({ after }) => String(after.from)),
      wanted.map(({ until }) => (until === null ? null : String(until))),
      wanted.map(({ isBot }) => isBot),
    ],
  });
  const found = wanted.map((): NewClicks => ({ clicks: [], skipped: 0 }));
  for (const { place, xid, id, clicks } of rows) {
    const of = place === null ? undefined : found[Number(place) - 1];
    of?.clicks.push({ xid, id });
    if (of) of.skipped = Math.max(0, Number(clicks) - maxClicks);
  }
  const { horizon, top } = rows[0] as Row;
  return { horizon: BigInt(horizon), top: BigInt(top), found };
}

/** Transaction ids have 32 bits, and an epoch above them. */
const epoch = String(2n ** 32n);

const clicksIn = (condition: string) => `
  select id, top - mod(top - xmin::text::bigint + ${epoch}, ${epoch}) as xid
  from clicks where account_number = w.account and id >= w.first and ${condition}`;

const newClicks = `
  with snapshot as materialized (select pg_current_snapshot() as s),
  horizon as materialized (
    select pg_snapshot_xmax(s)::text::bigint as top, coalesce((
      select min(running) from (select x::text::bigint as running from pg_snapshot_xip(s) x) r
      where mod(running, ${epoch}) not in (
        select t.transactionid::text::bigint from pg_locks t
          join pg_locks o on o.virtualtransaction = t.virtualtransaction and o.locktype = 'relation' and o.database <> 0
          join pg_database d on d.oid = o.database
        where t.locktype = 'transactionid' and t.granted and d.datname <> current_database()
      )
    ), pg_snapshot_xmax(s)::text::bigint) as horizon from snapshot
  )
  select horizon, top, n.*
  from horizon left join lateral (
    select place, c.* from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[])
      with ordinality as w (account, xid, id, first, until, is_bots, place)
    cross join lateral (
      select xid, id, count(*) over () as clicks
      from (${clicksIn("not is_bot and not w.is_bots")} union all ${clicksIn("is_bot and w.is_bots")}) t
      where (t.xid, t.id) > (w.xid, w.id) and t.xid < least(w.until, horizon)
      order by t.xid desc, t.id desc limit ${maxClicks}
    ) c
  ) n on true
  order by place, n.xid, n.id`;
