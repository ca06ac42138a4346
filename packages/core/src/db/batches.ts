import type { Base } from "./base.ts";
import type { Database } from "./statements.ts";

/** Rows that one statement changes, so that none takes long and other writers get their turn */
const rowsAtOnce = 1000;

/**
 * Repeats a statement, whose last parameter is the number of rows that it may change, until it changes none: other
 * transactions may change some of its rows, so that fewer does not mean that none are left. Returns how many it changed.
 */
export async function inBatches(
  database: Database,
  text: string,
  values: readonly unknown[],
  size = rowsAtOnce,
): Promise<number> {
  for (let changed = 0; ; ) {
    const { rowCount } = await database.query(text, [...values, size]);
    changed += rowCount ?? 0;
    if ((rowCount ?? 0) === 0) return changed;
  }
}

interface OldRows {
  table: string;
  /** When a row began to age */
  column: string;
  /** An interval of PostgreSQL */
  age: string;
  /** Primary key; default `id` */
  key?: string;
  /** Rows of one statement; default 1000 */
  size?: number;
}

/**
 * Deletes rows that are older than an age; returns how many. The earlier of both clocks counts, so that a wrong one deletes
 * nothing too early. Safe on several nodes at once.
 */
export const deleteOld = (
  { pool, clock }: Pick<Base, "pool" | "clock">,
  { table, column, age, key = "id", size }: OldRows,
): Promise<number> =>
  inBatches(
    pool,
    `delete from ${table} where (${key}) in (
       select ${key} from ${table} where ${column} < least($1::timestamptz, now()) - $2::interval
       order by ${column} limit $3 for update skip locked)`,
    [clock(), age],
    size,
  );
