import type { Pool } from "pg";
import { type CoreEvent, coreEvent } from "../../../kernel/events.ts";
import { dayMs } from "../../../kernel/time.ts";
import { dropPartitionsBefore } from "../store/partitions.ts";
import { deleteSaltsBefore, deleteSomeVisitorsBefore } from "../store/visitors.ts";

export interface RetentionOptions {
  pool: Pool;
  clock: () => Date;
  onEvent: (event: CoreEvent) => void;
  /** Raw clicks are dropped with the month that is this many days past; undefined keeps them */
  retentionDays?: number | undefined;
}

const hourOf = (time: Date) => time.toISOString().slice(0, 13);

/**
 * Makes the function that lets go of what has had its time: yesterday's salts and visitors, and raw clicks past their
 * retention. To be called between two passes; it looks once an hour, and takes away some visitors each time.
 */
export function createRetention({
  pool,
  clock,
  onEvent,
  retentionDays,
}: RetentionOptions): () => Promise<void> {
  /** The hour of the last look */
  let looked = "";
  /** Visitors of the days before this one are on their way out */
  let forgetting: string | null = null;

  async function look(): Promise<void> {
    const now = await agreedTime(pool, clock());
    // In a day's first hour, clicks of yesterday are still on their way and need yesterday's salt.
    if (now.getUTCHours() === 0) return;
    const today = now.toISOString().slice(0, 10);
    await deleteSaltsBefore(pool, today);
    forgetting = today;
    if (retentionDays === undefined) return;
    const dropped = await dropPartitionsBefore(pool, now.getTime() - retentionDays * dayMs);
    if (dropped.length > 0) onEvent(coreEvent("raw_clicks_dropped", { dropped }));
  }

  return async () => {
    const hour = hourOf(clock());
    if (hour !== looked) {
      await look();
      looked = hour;
    }
    if (forgetting !== null && (await deleteSomeVisitorsBefore(pool, forgetting)) === 0) forgetting = null;
  };
}

/** The earlier one of this machine's clock and the database's: what one wrong clock says costs nobody's data. */
async function agreedTime(pool: Pool, here: Date): Promise<Date> {
  const { rows } = await pool.query<{ now: string }>("select extract(epoch from now()) * 1000 as now");
  return new Date(Math.min(here.getTime(), Number(rows[0]?.now)));
}
