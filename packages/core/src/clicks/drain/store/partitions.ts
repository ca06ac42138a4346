import type { Pool } from "pg";
import { firstIdAt } from "../../click-id.ts";

/** Raw clicks are kept in a partition a UTC month, which is also what a retention drops. */

const monthStart = (time: number, offset = 0) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
};
const nameOf = (time: number) => `clicks_${new Date(time).toISOString().slice(0, 7).replace("-", "_")}`;
const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** Partitions that this process knows to be there, or makes now, by name. */
export type Partitions = Map<string, Promise<void>>;

/** A UTC month that has raw clicks. */
export interface Month {
  /** The table that they are in */
  partition: string;
  /** Its first day, and that of the month after it, as YYYY-MM-DD */
  first: string;
  next: string;
}

/** The months that have raw clicks, oldest first. */
export async function monthsOf(pool: Pool): Promise<readonly Month[]> {
  const { rows } = await pool.query<{ partition: string }>(
    `select relid::regclass::text as partition from pg_partition_tree('clicks') where isleaf and level = 1 order by 1`,
  );
  return rows.flatMap(({ partition }) => {
    const found = /^clicks_(\d{4})_(\d\d)$/.exec(partition);
    if (!found) return [];
    const [year, month] = [Number(found[1]), Number(found[2])];
    const firstOf = (at: number) => new Date(Date.UTC(year, at, 1)).toISOString().slice(0, 10);
    return [{ partition, first: firstOf(month - 1), next: firstOf(month) }];
  });
}

/** Makes the partitions that clicks of these times go into. */
export async function ensurePartitions(
  pool: Pool,
  times: Iterable<number>,
  known: Partitions,
): Promise<void> {
  for (const month of new Set(Array.from(times, (at) => monthStart(at)))) {
    const name = nameOf(month);
    let made = known.get(name);
    if (made === undefined) known.set(name, (made = makePartition(pool, name, month)));
    await made;
  }
}

/** A table that is attached, unlike one that is made as a partition, waits for nobody who reads clicks. */
async function makePartition(pool: Pool, name: string, month: number): Promise<void> {
  const { rowCount } = await pool.query("select where to_regclass($1) is not null", [name]);
  if (rowCount === 1) return;
  const bounds = `from (${firstIdAt(month)}) to (${firstIdAt(monthStart(month, 1))})`;
  try {
    // Statements of one string are one transaction.
    await pool.query(`create table ${name} (like clicks);
      alter table clicks attach partition ${name} for values ${bounds}`);
  } catch (error) {
    // Another node was quicker: duplicate_table, its row's type (duplicate_object), or a row of the catalogue.
    if (!["42P07", "42710", "23505"].includes(codeOf(error))) throw error;
  }
}

/**
 * Drops the months that ended before `time`. Rollups are not touched: totals stay. Whoever reads clicks is waited for
 * shortly, since everybody else would wait behind us; what was not dropped is left for the next time.
 */
export async function dropPartitionsBefore(pool: Pool, time: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const { partition: name, first } of await monthsOf(pool)) {
    if (name >= nameOf(time)) continue;
    try {
      // Remembered, so that nobody takes what is counted in it later for all that was.
      await pool.query(`set local lock_timeout = '1s';
        drop table if exists ${name};
        insert into click_months_dropped values ('${first}') on conflict do nothing`);
      dropped.push(name);
    } catch (error) {
      if (codeOf(error) !== "55P03") throw error; // lock_not_available
    }
  }
  return dropped;
}
