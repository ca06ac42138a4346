import type { PoolClient } from "pg";

/** Positions in the write-ahead log of the database, in bytes. */
interface WrittenAndConfirmed {
  /** Everything that was committed before is written up to here */
  written: bigint;
  /** All replicas have replayed the log up to here; null if there is none, or if the database does not tell */
  confirmed: bigint | null;
}

/**
 * Returns the function that reads how far the replicas are; null if the database does not show it. A replica that was seen
 * before and is not connected now may be behind, and so may one that left a replication slot: then nothing is confirmed.
 */
export function watchReplicas(): (database: PoolClient) => Promise<WrittenAndConfirmed | null> {
  /** The most replicas that were connected at a time */
  let seen = 0;
  return async (database) => {
    const { rows } = await database
      .query<{ written: string; confirmed: string | null; replicas: number }>(
        // Without the role pg_monitor, positions are null.
        `select pg_current_wal_insert_lsn() - '0/0' as written, replicas,
           case when all_tell and not exists (
             select from pg_replication_slots where slot_type = 'physical' and not active
           ) then confirmed end as confirmed
         from (
           select count(*)::int as replicas, min(replay_lsn) - '0/0' as confirmed,
             bool_and(replay_lsn is not null) as all_tell
           from pg_stat_replication
         ) r`,
      )
      // Some hosted databases do not have these functions.
      .catch(() => ({ rows: [] }));
    const [row] = rows;
    if (row === undefined) return null;
    const isComplete = row.replicas >= seen;
    seen = Math.max(seen, row.replicas);
    return {
      written: BigInt(row.written),
      confirmed: isComplete && row.confirmed !== null ? BigInt(row.confirmed) : null,
    };
  };
}
