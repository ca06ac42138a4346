import type { Pool } from "pg";
import { type ChoreDeps, ChoreFailures } from "../../../kernel/async/chore-failures.ts";
import { coreEvent } from "../../../kernel/events.ts";
import { dayMs } from "../../../kernel/time.ts";
import { createPacking, settledBefore } from "../../blocks/pack-clicks.ts";
import { deleteSomeClosedPermits } from "../../permits.ts";
import { deleteFinishedPositions } from "../positions.ts";
import { deleteSomeLinkCampaignsBefore } from "../prepare/caps.ts";
import { deleteSaltsBefore, deleteSomeVisitorsBefore } from "../prepare/visitors.ts";
import { createMerging } from "../rollups/account-sums.ts";
import { createHourSums } from "../rollups/hour-sums.ts";
import { packSomeRows } from "../rollups/pack-rows.ts";
import { dropPartitionsBefore } from "../store/partitions.ts";
import { deleteSomeUnusedLinks, forgetSomeDeletedLinks, type Place } from "./links.ts";

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

/** Work in small portions, so that counting goes on in between. Does one portion, and returns true if more is left. */
type Portions = () => Promise<boolean>;

/** Work that begins again each hour or day. */
interface Chore {
  name: string;
  every: "hour" | "day";
  begin(now: Date, today: string): Portions;
}

/** A chore that failed is tried again after this many milliseconds. */
const retryMs = 60_000;

const inOne =
  (work: () => Promise<unknown>): Portions =>
  async () => {
    await work();
    return false;
  };

/**
 * Returns the function that deletes what has expired (salts and visitors of past days, raw clicks, unused anonymous
 * links, destinations of deleted links), and packs and merges clicks and sums. The drain calls it after each pass. Once an hour it
 * looks for work; then each call does a portion of each chore. A chore that fails keeps no other, and no counting, waiting.
 */
export function createRetention(options: RetentionOptions): () => Promise<void> {
  const { pool, clock, onEvent, retentionDays, anonymousLinksDays } = options;
  const chores: Chore[] = [
    { name: "salts", every: "hour", begin: (_, today) => inOne(() => deleteSaltsBefore(pool, today)) },
    {
      // The drain of a click stream does so earlier. This is for a service that no longer uses one.
      name: "positions of segments",
      every: "hour",
      begin: (now) =>
        inOne(() => deleteFinishedPositions(pool, new Date(now.getTime() - finishedDays * dayMs))),
    },
    { name: "rows", every: "hour", begin: () => () => packSomeRows(pool) },
    { name: "hours", every: "hour", begin: (now) => createHourSums(pool, now.getTime()) },
    { name: "clicks", every: "day", begin: (now) => createPacking(pool, settledBefore(now.getTime())) },
    { name: "sums", every: "day", begin: (now) => createMerging(pool, settledBefore(now.getTime())) },
    {
      name: "visitors",
      every: "hour",
      begin: (_, today) => async () => (await deleteSomeVisitorsBefore(pool, today)) > 0,
    },
    {
      name: "campaigns",
      every: "hour",
      begin: (_, today) => async () => (await deleteSomeLinkCampaignsBefore(pool, today)) > 0,
    },
    {
      name: "permits",
      every: "hour",
      begin: (now) => async () => (await deleteSomeClosedPermits(pool, now)) > 0,
    },
    {
      name: "deleted links",
      every: "hour",
      begin: (now) => async () => (await forgetSomeDeletedLinks(pool, now)) > 0,
    },
  ];
  if (anonymousLinksDays !== undefined)
    chores.push({
      name: "unused links",
      every: "day",
      begin: (now) => sweep(new Date(now.getTime() - anonymousLinksDays * dayMs)),
    });
  if (retentionDays !== undefined)
    chores.push({
      name: "raw clicks",
      every: "hour",
      begin: (now) => inOne(() => dropPartitions(now.getTime() - retentionDays * dayMs)),
    });

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
      await failures.add(error);
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

  async function dropPartitions(before: number): Promise<void> {
    const dropped = await dropPartitionsBefore(pool, before);
    if (dropped.length > 0) onEvent(coreEvent("raw_clicks_dropped", { dropped }));
  }

  /** Deletes anonymous links without a click since then. */
  function sweep(since: Date): Portions {
    let place: Place | null = null;
    let links = 0;
    return async () => {
      const { deleted, last } = await deleteSomeUnusedLinks(pool, since, place);
      links += deleted;
      place = last;
      if (last === null && links > 0) onEvent(coreEvent("unused_links_deleted", { links }));
      return last !== null;
    };
  }
}

/** The earlier of this machine's time and the database's, so that one wrong clock deletes no data. */
async function agreedTime(pool: Pool, here: Date): Promise<Date> {
  const { rows } = await pool.query<{ now: string }>("select extract(epoch from now()) * 1000 as now");
  return new Date(Math.min(here.getTime(), Number(rows[0]?.now)));
}
