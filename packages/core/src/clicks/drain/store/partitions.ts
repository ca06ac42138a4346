import type { Pool } from "pg";
import { isAlreadyCreated, isLockTimeout } from "../../../db/errors.ts";
import type { Database } from "../../../db/statements.ts";
import { utcDate } from "../../../kernel/time.ts";
import { firstIdAt } from "../../click-id.ts";

/** Raw clicks are partitioned by UTC month, so that a retention can drop whole months. */

/** The first millisecond of the UTC month of a time (milliseconds since the epoch), or of one this many months later. */
export function monthStart(time: number, later = 0): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

const nameOf = (time: number) => `clicks_${utcDate(time).slice(0, 7).replace("-", "_")}`;

/** The first millisecond of the month of a partition; null if it is of none. */
function startOf(partition: string): number | null {
  const [, year, month] = /^clicks_(\d{4})_(\d\d)$/.exec(partition) ?? [];
  return month === undefined ? null : Date.UTC(Number(year), Number(month) - 1, 1);
}

/** Partitions that exist, or are being created by this process, by name. */
export type Partitions = Map<string, Promise<void>>;

/** A UTC month that has raw clicks. */
export interface Month {
  /** Name of its table */
  partition: string;
  /** Its first day and that of the next month, as YYYY-MM-DD */
  first: string;
  next: string;
}

/** Returns the months with raw clicks, oldest first. */
export async function monthsOf(database: Database): Promise<readonly Month[]> {
  const { rows } = await database.query<{ partition: string }>(
    `select relid::regclass::text as partition from pg_partition_tree('clicks') where isleaf and level = 1 order by 1`,
  );
  return rows.flatMap(({ partition }) => {
    const start = startOf(partition);
    return start === null ? [] : [{ partition, first: utcDate(start), next: utcDate(monthStart(start, 1)) }];
  });
}

/** Creates the partitions for clicks of these times, if they are missing. */
export async function ensurePartitions(
  pool: Pool,
  times: Iterable<number>,
  known: Partitions,
): Promise<void> {
  for (const month of new Set(Array.from(times, (at) => monthStart(at)))) {
    const name = nameOf(month);
    let created = known.get(name);
    if (created === undefined) known.set(name, (created = createPartition(pool, name, month)));
    await created;
  }
}

/** Creates a month's partition by its name, if it is missing. Returns false if no month has this name. */
export async function createMonth(database: Database, name: string): Promise<boolean> {
  const month = startOf(name);
  if (month !== null) await createPartition(database, name, month);
  return month !== null;
}

/** Attaches a table, which does not wait for readers of clicks, unlike creating it as a partition. */
async function createPartition(database: Database, name: string, month: number): Promise<void> {
  const { rowCount } = await database.query("select where to_regclass($1) is not null", [name]);
  if (rowCount === 1) return;
  const bounds = `from (${firstIdAt(month)}) to (${firstIdAt(monthStart(month, 1))})`;
  try {
    // Several statements in one string are one transaction.
    await database.query(`create table ${name} (like clicks);
      alter table clicks attach partition ${name} for values ${bounds}`);
  } catch (error) {
    if (!isAlreadyCreated(error)) throw error;
  }
}

/**
 * Drops the months that ended before `time`, and returns their partitions. Rollups are kept. It waits only a second for
 * readers, since other statements queue behind it; a month that could not be dropped is left for the next call.
 */
export async function dropPartitionsBefore(pool: Pool, time: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const { partition: name, first, next } of await monthsOf(pool)) {
    if (name >= nameOf(time)) continue;
    try {
      // Recorded, so that a rebuild does not mistake late clicks of this month for all of its clicks.
      await pool.query(`set local lock_timeout = '1s';
        drop table if exists ${name};
        delete from click_blocks where day >= '${first}' and day < '${next}';
        insert into click_months_dropped values ('${first}') on conflict do nothing`);
      dropped.push(name);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
  return dropped;
}
