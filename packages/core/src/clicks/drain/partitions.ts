import type { Pool } from "pg";
import { firstIdAt } from "./click-id.ts";

/** Raw clicks are kept in a partition a UTC month, which is also what a retention drops. */

const monthStart = (time: number, offset = 0) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
};
const nameOf = (time: number) => `clicks_${new Date(time).toISOString().slice(0, 7).replace("-", "_")}`;

/** Makes the partitions that clicks of these times go into; `made` remembers them for this process. */
export async function ensurePartitions(
  pool: Pool,
  times: Iterable<number>,
  made: Set<string>,
): Promise<void> {
  for (const time of new Set(Array.from(times, (at) => monthStart(at)))) {
    const name = nameOf(time);
    if (made.has(name)) continue;
    const bounds = `from (${firstIdAt(time)}) to (${firstIdAt(monthStart(time, 1))})`;
    try {
      await pool.query(`create table if not exists ${name} partition of clicks for values ${bounds}`);
    } catch (error) {
      // Another node was quicker: 42P07 duplicate_table, 23505 in the catalogue.
      if (!["42P07", "23505"].includes(String((error as { code?: unknown }).code))) throw error;
    }
    made.add(name);
  }
}

/** Drops the months that ended before `time`. Rollups are not touched: totals stay. */
export async function dropPartitionsBefore(pool: Pool, time: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('clicks') where isleaf and level = 1`,
  );
  const old = rows
    .map(({ name }) => name)
    .filter((name) => /^clicks_\d{4}_\d\d$/.test(name) && name < nameOf(time));
  for (const name of old) await pool.query(`drop table ${name}`);
  return old;
}
