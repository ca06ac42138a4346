import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { Base } from "../../db/base.ts";
import { withLock } from "../../db/lease.ts";
import type { Database } from "../../db/statements.ts";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { coreEvent } from "../../kernel/events.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import type { ClickHouseCopy, ClickHouseSettings } from "../clicks.types.ts";
import { monthStart } from "../drain/store/partitions.ts";
import { type ClickHouseConnection, ClickHouseFailure, openClickHouse } from "./connection.ts";
import { load } from "./load.ts";
import { isUnchanged, hasTrigger, readState, shipAll } from "./shipments.ts";
import { addMissingColumns, dropMonth, lastShipment, monthNumber, monthsIn } from "./tables.ts";

/** A session lock: one node copies at a time. */
const lockKey = 7_230_051;
/** Milliseconds between two checks of the queue, and after a failure */
const pauseMs = 1000;
/** Milliseconds that `catchUp` waits for another node that copies */
const waitMs = 5000;

/** Reads from the copy: everything up to a shipment. */
export interface ClickHouseClicks {
  readonly clickhouse: ClickHouseConnection;
  /** Of the primary, which has all names of what arrived */
  readonly pool: Pool;
  /** SQL: a condition that leaves out what arrives later, so that a report counts the same clicks everywhere */
  readonly arrived: string;
  /** Milliseconds since the epoch before which there are no clicks; null if there are all */
  readonly since: number | null;
  /** Whether all clicks are still there: if so, nothing was missing in what was read until now */
  isUnchanged(): Promise<boolean>;
}

export interface Copy extends ClickHouseCopy {
  readonly clickhouse: ClickHouseConnection;
  /** What is counted now, to be read; null while the copy is being made for the first time. Throws as `catchUp` does. */
  current(): Promise<ClickHouseClicks | null>;
  /** Deletes all clicks of an account by its number, from the disks too. The database has none of them any more. */
  erase(account: number): Promise<void>;
}

type CopyDeps = Pick<Base, "pool" | "clock" | "onEvent" | "meter">;

/** Keeps a copy of all raw clicks of accounts in ClickHouse; see docs/adr/0019. */
export function createCopy(deps: CopyDeps, { url, retentionDays }: ClickHouseSettings): Copy {
  const { pool, clock, onEvent, meter } = deps;
  const clickhouse = openClickHouse(url);
  let isUnavailable = false;
  /** Whether this process has compared both sides since it last failed */
  let isChecked = false;
  let isLoading = false;
  let checkedDay = "";
  let waiting: number | null = null;
  const seconds = meter.histogram("terse_clickhouse_shipping_duration_seconds");
  meter.read("terse_clickhouse_up", () => Number(!isUnavailable));
  meter.read("terse_clickhouse_waiting_clicks", () => waiting);

  /** Brings ClickHouse up to date; false if another node is doing that. Requests do not wait for all clicks to be copied. */
  async function copy({ loads }: { loads: boolean }): Promise<boolean> {
    const started = performance.now();
    const done = await withLock(pool, lockKey, async (database) => {
      if (!(await isSynchronised(database))) {
        if (!loads) throw new ClickHouseFailure("ClickHouse has no copy of the clicks that are counted");
        isLoading = true;
        onEvent(coreEvent("clickhouse_loading"));
        await load(pool, database, clickhouse, loop.signal).finally(() => (isLoading = false));
        onEvent(coreEvent("clickhouse_loaded", { after_ms: Math.round(performance.now() - started) }));
      }
      if (!isChecked) await addMissingColumns(clickhouse);
      await shipAll(database, clickhouse);
      isChecked = true;
    });
    if (done) seconds.observe((performance.now() - started) / 1000);
    return done;
  }

  /** False if the copy was never finished, or if one side has gone back in time: a restored backup, a replica that lagged. */
  async function isSynchronised(database: PoolClient): Promise<boolean> {
    const state = await readState(database);
    if (state?.isLive !== true) return false;
    if (!(await hasTrigger(database))) return false;
    const arrived = await lastShipment(clickhouse).catch((error: ClickHouseFailure) => {
      if (error.code === unknownTable) return null;
      throw error;
    });
    return arrived === state.shipped || (arrived === state.claimed && arrived !== null);
  }

  async function tracked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      isUnavailable = false;
      return result;
    } catch (error) {
      isUnavailable = true;
      isChecked = false;
      throw error;
    }
  }

  async function catchUp(loads: boolean): Promise<void> {
    const until = performance.now() + waitMs;
    while (!(await copy({ loads }))) {
      if (performance.now() > until)
        throw new ClickHouseFailure("Another node copies clicks to ClickHouse, and has not finished");
      await sleep(20);
    }
  }

  async function applyRetention(): Promise<void> {
    const now = clock();
    const today = now.toISOString().slice(0, 10);
    if (retentionDays === undefined || checkedDay === today) return;
    await withLock(pool, lockKey, async (database) => {
      const dropped = await dropMonthsBefore(database, clickhouse, now.getTime() - retentionDays * dayMs);
      checkedDay = today;
      if (dropped.length > 0) onEvent(coreEvent("clickhouse_clicks_dropped", { dropped }));
    });
  }

  const loop = backgroundLoop({
    async runOnce() {
      try {
        await tracked(() => copy({ loads: true }));
      } finally {
        waiting = await waitingClicks(pool);
      }
      await applyRetention();
      return pauseMs;
    },
    retryMs: pauseMs,
    onFailure: (err) => onEvent(coreEvent("clickhouse_unavailable", { err })),
    onRecovery: () => onEvent(coreEvent("clickhouse_available")),
  });

  return {
    clickhouse,
    check: () => ({
      ok: true,
      detail: isUnavailable
        ? "ClickHouse does not answer; raw clicks are read from the database"
        : "ClickHouse takes clicks",
    }),
    start: loop.start,
    catchUp: () => tracked(() => catchUp(true)),
    erase: (account) =>
      tracked(async () => {
        await catchUp(true);
        // After a timeout, ClickHouse continues the deletion.
        const [found] = await clickhouse.rows(
          `select 1 from clicks where account_number = ${account} limit 1`,
        );
        if (found !== undefined)
          await clickhouse.run(`alter table clicks delete where account_number = ${account}`);
      }),
    get isUnavailable() {
      return isUnavailable;
    },
    async current() {
      const before = await readState(pool);
      if (isLoading || before?.isLive !== true) return null;
      const { rows } = await pool.query<{ last: string | null }>(
        "select max(number) as last from clickhouse_queue",
      );
      if (rows[0]?.last !== null || !isChecked) await tracked(() => catchUp(false));
      const state = await readState(pool);
      if (state?.isLive !== true) return null;
      return {
        clickhouse,
        pool,
        arrived: `shipment <= ${state.shipped}`,
        since: state.since,
        isUnchanged: async () => isUnchanged(state, await readState(pool)),
      };
    },
    async close() {
      await loop.stop();
      await clickhouse.close();
    },
  };
}

/** ClickHouse's code of a table that does not exist */
const unknownTable = "60";

async function waitingClicks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ clicks: string }>(
    "select coalesce(sum(clicks), 0) as clicks from clickhouse_queue",
  );
  return Number(rows[0]?.clicks);
}

/**
 * Drops the months in ClickHouse that ended before `time`, and returns them as YYYYMM. Reports leave them out first. The caller holds
 * the lock of the copy.
 */
export async function dropMonthsBefore(
  database: Database,
  clickhouse: ClickHouseConnection,
  time: number,
): Promise<readonly number[]> {
  const oldest = monthNumber(utcDate(time));
  const months = (await monthsIn(clickhouse)).filter((month) => month < oldest);
  if (months.length === 0) return months;
  await database.query("update clickhouse_copy set since = greatest(since, $1)", [monthStart(time)]);
  for (const month of months) {
    // A connection that is silent for long counts as lost, and with it the lock.
    await database.query("select");
    await dropMonth(clickhouse, month);
  }
  return months;
}
