import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../db/connection.ts";
import { deletionWaitMs, type DueDeletions, lockDueDeletions } from "./deletions.ts";

/** Clicks in one event, and milliseconds for which clicks are collected */
const clicksPerEvent = 100;
const collectMs = 5000;

/** Rows of one transaction, and clicks among them */
const maxEvents = 5000;
const maxClicks = 100_000;

/**
 * Gives waiting events their position in the log, and webhooks the log's end. Returns whether more may be waiting.
 *
 * One node at a time does it, and sees only what is committed. So an event never gets a position below one that was already
 * delivered, and two changes of a link keep their order: the second one waited for the first to commit. A deletion comes after
 * all clicks of its link.
 */
export async function numberEvents(pool: Pool, now: Date): Promise<boolean> {
  const collectedBefore = new Date(now.getTime() - collectMs);
  const { rows } = await pool.query<{ waiting: boolean }>({
    name: "events-wait",
    text: `select exists (select from webhook_events where position is null)
             or exists (select from webhook_clicks where at <= $1) as waiting`,
    values: [collectedBefore],
  });
  if (!rows[0]?.waiting) return false;
  let numbered = 0;
  await inTransaction(pool, async (database) => {
    const last = await takeTurn(database);
    if (last === null) return false;
    const due = await lockDueDeletions(database, new Date(now.getTime() - deletionWaitMs), maxEvents);
    await collectClicks(database, collectedBefore, due.accounts);
    numbered = await giveNumbers(database, last, await withoutClicks(database, due));
    return true;
  });
  return numbered === maxEvents;
}

/** The last position so far; null if another node is giving positions. */
async function takeTurn(database: PoolClient): Promise<string | null> {
  const { rows } = await database.query<{ last: string }>(
    "select last from webhook_log for update skip locked",
  );
  return rows[0]?.last ?? null;
}

/** Makes events of the clicks of accounts whose first one has waited long enough, and of `accounts`. */
async function collectClicks(database: PoolClient, before: Date, accounts: readonly string[]): Promise<void> {
  await database.query({
    name: "collect-webhook-clicks",
    text: `with due as (
             select id, sum(cardinality(clicks)) over (order by id) - cardinality(clicks) as before from webhook_clicks
             where account_id in (select account_id from webhook_clicks where at <= $1) or account_id = any ($2::uuid[])
             order by id limit ${maxEvents}
           ), taken as (
             delete from webhook_clicks where id in (select id from due where before < ${maxClicks})
             returning account_id, clicks
           ), placed as (
             select account_id, click, row_number() over (partition by account_id order by click) - 1 as place
             from taken, unnest(clicks) as click
           )
           insert into webhook_events (account_id, type, clicks)
           select account_id, 'link.clicked', array_agg(click order by click) from placed
           group by account_id, place / ${clicksPerEvent}`,
    values: [before, accounts],
  });
}

/** The deletions of accounts whose clicks are all in events; there may have been too many. */
async function withoutClicks(database: PoolClient, due: DueDeletions): Promise<DueDeletions> {
  if (due.ids.length === 0) return due;
  const { rows } = await database.query<{ id: string }>({
    name: "webhook-deletions-without-clicks",
    text: `select id from webhook_events e where id = any ($1::bigint[])
             and not exists (select from webhook_clicks c where c.account_id = e.account_id)`,
    values: [due.ids],
  });
  const left = new Set(rows.map(({ id }) => id));
  return { ...due, ids: due.ids.filter((id) => left.has(id)) };
}

/** A deletion is numbered last, unless a later event of its link is waiting, too. */
async function giveNumbers(
  database: PoolClient,
  last: string,
  { ids, followed }: DueDeletions,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "number-webhook-events",
    text: `with waiting as (
             select id, row_number() over (order by is_last, id) as place
             from webhook_events, lateral (select type = 'link.deleted' and id <> all ($3::bigint[]) as is_last) l
             where position is null and (type <> 'link.deleted' or id = any ($2::bigint[]))
             order by is_last, id limit ${maxEvents}
           ), numbered as (
             update webhook_events e set position = $1 + place from waiting where e.id = waiting.id
             returning account_id, e.position
           ), latest as (
             select account_id, max(position) as position from numbered group by account_id
           ), informed as (
             update webhooks w set latest = latest.position from latest where w.account_id = latest.account_id
           )
           select count(*)::int as count from numbered`,
    values: [last, ids, followed],
  });
  const count = rows[0]?.count ?? 0;
  await database.query("update webhook_log set last = last + $1", [count]);
  return count;
}
