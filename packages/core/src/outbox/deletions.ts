import type { PoolClient } from "pg";
import { sqlArray, sqlColumns } from "../db/arrays.ts";

/**
 * Clicks are counted about a second after they happen, so a link may be deleted before its last ones are. The event of its deletion
 * is delayed: clicks that are counted during the delay are added to it, may reach the link's limit, and are sent before it. Clicks
 * that are counted later are not sent. Counting and numbering both lock the event, so that no click falls between the two.
 */

/** Milliseconds for which a deletion waits for clicks */
export const deletionWaitMs = 10_000;

type Database = Pick<PoolClient, "query">;

/** Clicks of people on a link, by the time of the last one in milliseconds since the epoch */
export interface ClickedLink {
  id: string;
  clicks: number;
  lastClick: number;
}

/**
 * Adds clicks to the deletions that have no number yet, and records the limits that they reach. Returns the links whose deletion
 * already has one.
 */
export async function countInDeletions(
  database: Database,
  accounts: readonly string[],
  links: readonly ClickedLink[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string; link: string; is_numbered: boolean }>({
    name: "lock-webhook-deletions",
    text: `select id, subject ->> 'id' as link, position is not null as is_numbered from webhook_events e
           where type = 'link.deleted' and subject ->> 'id' = any ($1::text[]) and account_id = any ($2::uuid[])
             and not exists (select from links where links.id = (e.subject ->> 'id')::uuid)
           order by id for update`,
    values: [sqlArray(links.map(({ id }) => id)), sqlArray([...accounts])],
  });
  // A link that was brought back and deleted again has several; only the last one can wait.
  const waiting = new Map(rows.filter(({ is_numbered }) => !is_numbered).map(({ link, id }) => [link, id]));
  const counted = links.filter(({ id, clicks }) => waiting.has(id) && clicks > 0);
  if (counted.length > 0) await addClicks(database, counted, waiting);
  return new Set(rows.flatMap(({ link }) => (waiting.has(link) ? [] : [link])));
}

async function addClicks(
  database: Database,
  links: readonly ClickedLink[],
  eventOf: ReadonlyMap<string, string>,
): Promise<void> {
  const { table, values } = sqlColumns(1, {
    id: ["bigint", sqlArray(links.map(({ id }) => eventOf.get(id) ?? "null"))],
    clicks: ["int", sqlArray(links.map(({ clicks }) => clicks))],
    last_click: ["bigint", sqlArray(links.map(({ lastClick }) => lastClick))],
  });
  await database.query({
    name: "add-clicks-to-deletions",
    text: `with counted as (
             update webhook_events e set subject = e.subject || jsonb_build_object(
               'click_count', (e.subject ->> 'click_count')::bigint + t.clicks,
               'last_click_at', greatest((e.subject ->> 'last_click_at')::timestamptz,
                 to_timestamp(t.last_click / 1000.0)::timestamptz(3)))
             from ${table} where e.id = t.id
             returning e.account_id, e.at, e.subject, t.clicks
           )
           insert into webhook_events (account_id, type, at, subject)
           select account_id, 'link.limit_reached', at, subject
           from counted, lateral (select (subject ->> 'click_limit')::bigint as most, (subject ->> 'click_count')::bigint as count) c
           where most <= count and most > count - clicks and exists (
             select from webhooks w where w.account_id = counted.account_id and active
               and 'link.limit_reached' = any (events))`,
    values,
  });
}

/** Deletions that can be numbered, which stay locked, and those among them that another event of the link follows */
export interface DueDeletions {
  ids: string[];
  followed: string[];
  accounts: string[];
}

/** Locks the deletions that have waited long enough, or whose link was brought back. Those that a count has locked wait on. */
export async function lockDueDeletions(
  database: Database,
  before: Date,
  limit: number,
): Promise<DueDeletions> {
  const { rows } = await database.query<{ id: string; account_id: string; is_followed: boolean }>({
    name: "due-webhook-deletions",
    text: `select e.id, e.account_id, is_followed
           from webhook_events e, lateral (
             select exists (
               select from webhook_events later where later.position is null and later.id > e.id
                 and later.subject ->> 'id' = e.subject ->> 'id' and later.type <> 'link.limit_reached'
             ) as is_followed
           ) f
           where e.position is null and e.type = 'link.deleted' and (e.at <= $1 or is_followed)
           order by e.id limit ${limit} for update of e skip locked`,
    values: [before],
  });
  return {
    ids: rows.map(({ id }) => id),
    followed: rows.flatMap(({ id, is_followed }) => (is_followed ? [id] : [])),
    accounts: [...new Set(rows.map(({ account_id }) => account_id))],
  };
}
