import type { Pool } from "pg";
import { type CoreEvent, coreEvent } from "../../../kernel/events.ts";
import { dayMs } from "../../../kernel/time.ts";
import { deleteOldReports } from "../../../reports/index.ts";
import { dropPartitionsBefore } from "../store/partitions.ts";
import { deleteSaltsBefore, deleteSomeVisitorsBefore } from "../store/visitors.ts";

export interface RetentionOptions {
  pool: Pool;
  clock: () => Date;
  onEvent: (event: CoreEvent) => void;
  /** A month of raw clicks is dropped this many days after its end; undefined keeps all */
  retentionDays?: number | undefined;
}

const hourOf = (time: Date) => time.toISOString().slice(0, 13);

/**
 * Returns the function that deletes expired data: salts and visitors of past days, reports and raw clicks past their retention.
 * The drain calls it after each pass; it checks once an hour, and deletes visitors in small portions.
 */
export function createRetention({
  pool,
  clock,
  onEvent,
  retentionDays,
}: RetentionOptions): () => Promise<void> {
  /** The hour of the last check */
  let checkedHour = "";
  /** Visitors of earlier days are being deleted */
  let deletingBefore: string | null = null;

  async function check(): Promise<void> {
    const now = await agreedTime(pool, clock());
    // In the first hour of a day, clicks of yesterday still arrive and need yesterday's salt.
    if (now.getUTCHours() === 0) return;
    const today = now.toISOString().slice(0, 10);
    await deleteSaltsBefore(pool, today);
    deletingBefore = today;
    await deleteOldReports(pool, now.getTime());
    if (retentionDays === undefined) return;
    const dropped = await dropPartitionsBefore(pool, now.getTime() - retentionDays * dayMs);
    if (dropped.length > 0) onEvent(coreEvent("raw_clicks_dropped", { dropped }));
  }

  return async () => {
    const hour = hourOf(clock());
    if (hour !== checkedHour) {
      await check();
      checkedHour = hour;
    }
    if (deletingBefore !== null && (await deleteSomeVisitorsBefore(pool, deletingBefore)) === 0)
      deletingBefore = null;
  };
}

/** The earlier of this machine's time and the database's, so that one wrong clock deletes no data. */
async function agreedTime(pool: Pool, here: Date): Promise<Date> {
  const { rows } = await pool.query<{ now: string }>("select extract(epoch from now()) * 1000 as now");
  return new Date(Math.min(here.getTime(), Number(rows[0]?.now)));
}
