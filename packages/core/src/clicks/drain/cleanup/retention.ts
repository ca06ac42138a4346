import type { Pool } from "pg";
import { type ChoreDeps, ChoreFailures } from "../../../kernel/async/chore-failures.ts";
import { coreEvent } from "../../../kernel/events.ts";
import { dayMs } from "../../../kernel/time.ts";
import { createPacking, packableBefore } from "../../blocks/pack-clicks.ts";
import { deleteSomeClosedPermits } from "../../permits.ts";
import { deleteFinishedPositions } from "../positions.ts";
import { deleteSaltsBefore } from "../prepare/visitors.ts";
import { createMerging } from "../rollups/account-sums.ts";
import { createHourSums } from "../rollups/hour-sums.ts";
import { dropPartitionsBefore } from "../store/partitions.ts";

export interface RetentionOptions extends ChoreDeps {
  pool: Pool;
  clock: () => Date;
  /** A month of raw clicks is dropped this many days after its end; undefined keeps all */
  retentionDays?: number | undefined;
  /** Anonymous links are deleted this many days after their creation or last click; undefined keeps all */
  anonymousLinksDays?: number | undefined;
}

/** Positions of counted segments are kept for this long, if they are kept at all */
const finishedDays = 30;

const hourOf = (time: Date) => time.toISOString().slice(0, 13);

/** Work in small portions, so that the drain counts in between. Does one portion, and returns true if more is left. */
type Portions = () => Promise<boolean>;

/** Work that begins again each hour or day. */
interface Chore {
  name: string;
  every: "hour" | "day";
  begin(now: Date, today: string): Portions;
}

/** Milliseconds until a failed chore is retried. */
const retryMs = 60_000;

/** Deletes a portion at a time, each hour, until none is left. */
const hourly = (name: string, work: (now: Date, today: string) => Promise<number>): Chore => ({
  name,
  every: "hour",
  begin: (now, today) => async () => (await work(now, today)) > 0,
});

/**
 * Returns the function that deletes what has expired (salts and visitors of past days, raw clicks, unused anonymous links,
 * destinations of deleted links), and packs and merges clicks and sums. The drain calls it between batches. Once an hour it
 * looks for work; then each call does a portion of each chore. A chore that fails delays neither the others nor counting.
 */
export function createRetention(options: RetentionOptions): () => Promise<void> {
  const { pool, clock, onEvent, retentionDays, anonymousLinksDays } = options;
  const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);
  const chores: Chore[] = [
    {
      name: "salts",
      every: "hour",
      // Once: late clicks of past days need new ones, which drains would delete from each other between all batches.
      begin: (_, today) => async () => {
        await deleteSaltsBefore(pool, today);
        return false;
      },
    },
    // The drain of a click stream does so earlier. This is for a service that no longer uses one.
    hourly("positions of segments", (now) => deleteFinishedPositions(pool, daysBefore(now, finishedDays))),
    { name: "hours", every: "hour", begin: (now) => createHourSums(pool, now.getTime()) },
    { name: "clicks", every: "day", begin: (now) => createPacking(pool, packableBefore(now.getTime())) },
    { name: "sums", every: "day", begin: (now) => createMerging(pool, packableBefore(now.getTime())) },
    hourly("visitors", (_, today) => deleteSome(pool, "click_visitors", today)),
    hourly("campaigns", (_, today) => deleteSome(pool, "link_campaigns", today)),
    hourly("permits", (now) => deleteSomeClosedPermits(pool, now)),
    hourly("deleted links", (now) => forgetSomeDeletedLinks(pool, daysBefore(now, deletedLinkDays))),
  ];
  if (anonymousLinksDays !== undefined)
    chores.push({
      name: "unused links",
      every: "day",
      begin: (now) =>
        deletingUnusedLinks(pool, daysBefore(now, anonymousLinksDays), (links) =>
          onEvent(coreEvent("unused_links_deleted", { links })),
        ),
    });
  if (retentionDays !== undefined)
    chores.push(
      hourly("raw clicks", async (now) => {
        const dropped = await dropPartitionsBefore(pool, daysBefore(now, retentionDays).getTime());
        if (dropped.length > 0) onEvent(coreEvent("raw_clicks_dropped", { dropped }));
        return dropped.length;
      }),
    );

  const states = chores.map((chore) => ({
    chore,
    failures: new ChoreFailures(options, chore.name),
    /** The day on which it last began */
    begunOn: "",
    /** Null if all is done */
    portions: null as Portions | null,
    /** By `performance.now()` */
    notBefore: 0,
  }));
  /** The hour of the last check */
  let checkedHour = "";

  async function check(): Promise<void> {
    const now = await agreedTime(pool, clock());
    // In the first hour of a day, clicks of yesterday still arrive and need yesterday's salt.
    if (now.getUTCHours() === 0) return;
    const today = now.toISOString().slice(0, 10);
    for (const state of states) {
      if (state.chore.every === "day" && state.begunOn === today) continue;
      state.begunOn = today;
      state.portions = state.chore.begin(now, today);
    }
  }

  async function work(state: (typeof states)[number]): Promise<void> {
    const { portions, failures, notBefore } = state;
    if (portions === null || performance.now() < notBefore) return;
    try {
      if (await portions()) return;
      state.portions = null;
      failures.end();
    } catch (error) {
      state.notBefore = performance.now() + retryMs;
      await failures.report(error);
    }
  }

  return async () => {
    const hour = hourOf(clock());
    if (hour !== checkedHour) {
      await check();
      checkedHour = hour;
    }
    for (const state of states) await work(state);
  };
}

/** The earlier of this machine's time and the database's, so that one wrong clock deletes no data. */
async function agreedTime(pool: Pool, here: Date): Promise<Date> {
  const { rows } = await pool.query<{ now: string }>("select extract(epoch from now()) * 1000 as now");
  return new Date(Math.min(here.getTime(), Number(rows[0]?.now)));
}

/** Days after which a deleted link loses its destination and title. Its slug stays, as analytics show it. */
const deletedLinkDays = 30;

/** Rows of one statement, during which counting waits. */
const maxRows = 1000;

/**
 * Clears a limited number of links that were deleted before a time, and returns the number. Several nodes may do so at once:
 * each skips rows that another one has locked.
 */
async function forgetSomeDeletedLinks(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `update deleted_links set destination = '', title = null where id = any(array(
       select id from deleted_links where destination <> '' and deleted_at < $1
       order by deleted_at limit ${maxRows} for update skip locked))`,
    [before],
  );
  return rowCount ?? 0;
}

/**
 * Deletes anonymous links without a click since the UTC day of `since`, among the next thousand in the order of their creation each
 * time; calls `onEnd` with their number, if there were any. Reads the index of lists from its end: without `account_id` in the
 * order, PostgreSQL would sort all anonymous links.
 */
function deletingUnusedLinks(pool: Pool, since: Date, onEnd: (links: number) => void): Portions {
  /** The last link that was looked at */
  let last = { created_at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  let links = 0;
  return async () => {
    const { rows } = await pool.query<{ deleted: number; last: typeof last | null }>({
      name: "delete-unused-links",
      text: `with looked_at as (
               select id, created_at from links
               where account_id is null and bucket_id is null and created_at < $1
                 and (created_at, id) > ($2::timestamptz, $3::uuid)
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
      values: [since, last.created_at, last.id],
    });
    const [found] = rows;
    links += found?.deleted ?? 0;
    if (found?.last) last = found.last;
    else if (links > 0) onEnd(links);
    return Boolean(found?.last);
  };
}

/** Deletes some rows of the days before `day`, of which there may be millions. Returns how many. */
async function deleteSome(
  pool: Pool,
  table: "click_visitors" | "link_campaigns",
  day: string,
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from ${table} where ctid = any(array(select ctid from ${table} where day < $1 limit ${maxDeleted}))`,
    [day],
  );
  return rowCount ?? 0;
}

/** Rows of one delete, during which counting waits. */
const maxDeleted = 50_000;
