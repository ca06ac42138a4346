import type { Pool } from "pg";
import { firstIdAt } from "./click-id.ts";

/** Raw clicks are kept in a partition a UTC month, which is also what a retention drops. */

const monthStart = (time: number, offset = 0) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
};
const nameOf = (time: number) => `clicks_${new Date(time).toISOString().slice(0, 7).replace("-", "_")}`;
const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

/** Partitions that this process knows to be there, or makes now, by name. */
export type Partitions = Map<string, Promise<void>>;

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
  const { rows } = await pool.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('clicks') where isleaf and level = 1`,
  );
  const dropped: string[] = [];
  for (const { name } of rows) {
    if (!/^clicks_\d{4}_\d\d$/.test(name) || name >= nameOf(time)) continue;
    try {
      // Remembered, so that nobody takes what is counted in it later for all that was.
      const month = `${name.slice(7).replace("_", "-")}-01`;
      await pool.query(`set local lock_timeout = '1s';
        drop table if exists ${name};
        insert into click_months_dropped values ('${month}') on conflict do nothing`);
      dropped.push(name);
    } catch (error) {
      if (codeOf(error) !== "55P03") throw error; // lock_not_available
    }
  }
  return dropped;
}
