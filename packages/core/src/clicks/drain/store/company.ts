import type { Pool, PoolClient } from "pg";
import type { PartBit } from "../prepare/parts.ts";

/**
 * How drains that count at the same time keep out of each other's way, by advisory locks until the end of a transaction. They are
 * only for speed: rows are locked in the same order by all drains anyway.
 */

/** First keys of the advisory locks: one says that a drain is counting, the other that it counts a part. */
const [counting, part] = [7_230_001, 7_230_002];

/** Milliseconds for which other drains are expected to come back */
const memoryMs = 10_000;

export interface Company {
  /** Whether another drain is counting at present, or was seconds ago. */
  isThere(): Promise<boolean>;
  /** Says that this drain is counting. */
  announce(database: PoolClient): Promise<void>;
  /** Chooses a part that no other drain is counting, or waits for one. */
  chooseFree(database: PoolClient, parts: readonly PartBit[]): Promise<PartBit>;
}

/** `id` tells drains apart: a whole number below 2^31. */
export function createCompany(pool: Pool, id: number): Company {
  let seenAt = Number.NEGATIVE_INFINITY;
  let turn = id;

  return {
    async isThere() {
      const now = performance.now();
      if (now - seenAt < memoryMs) return true;
      const { rowCount } = await pool.query({
        name: "other-drains",
        text: `select from pg_locks where locktype = 'advisory' and classid = $1::int and objid <> $2::int
                 and database = (select oid from pg_database where datname = current_database()) limit 1`,
        values: [counting, id],
      });
      if (rowCount === 1) seenAt = now;
      return rowCount === 1;
    },

    async announce(database) {
      await database.query({
        name: "announce-counting",
        text: "select pg_advisory_xact_lock_shared($1, $2)",
        values: [counting, id],
      });
    },

    async chooseFree(database, parts) {
      // Each time from another one, so that drains rarely try the same.
      turn = (turn + 1) % 1024;
      const order = parts.map((_, at) => parts[(at + turn) % parts.length] as PartBit);
      for (const bit of order) {
        const { rows } = await database.query<{ free: boolean }>({
          name: "try-part",
          text: "select pg_try_advisory_xact_lock($1, $2) as free",
          values: [part, bit],
        });
        if (rows[0]?.free === true) return bit;
      }
      const [first = 0] = order;
      await database.query({
        name: "wait-for-part",
        text: "select pg_advisory_xact_lock($1, $2)",
        values: [part, first],
      });
      return first;
    },
  };
}
