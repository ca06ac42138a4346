import type { Pool, PoolClient } from "pg";
import { acquireConnection } from "./connection.ts";
import type { Database } from "./statements.ts";

/** Rows that one node works on, while the other nodes take others. */
interface Lease {
  /** Name of the prepared statement */
  name: string;
  table: string;
  /** Primary key of the table; default `id` */
  key?: string;
  /** SQL, what follows `from <table>`: which rows are due, and in which order */
  due: string;
  limit: number;
  /** SQL: what makes the rows not due for other nodes, such as `next_at = $2` */
  set: string;
  /** SQL: the columns that the caller needs */
  returning: string;
  values: readonly unknown[];
}

/**
 * Leases rows that are due; a row that another node leases at the same time is left out. No transaction stays open:
 * the caller works on the rows, and releases them by its own update or lets the lease expire.
 */
export async function lease<Row extends object>(
  database: Database,
  { name, table, key = "id", due, limit, set, returning, values }: Lease,
): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name,
    text: `with due as (
             select ${table}.${key} from ${table} ${due} limit ${limit} for update of ${table} skip locked)
           update ${table} set ${set} from due where ${table}.${key} = due.${key}
           returning ${returning}`,
    values: [...values],
  });
  return rows;
}

/**
 * Works while this process alone has a lock, which ends with its connection at the latest. Returns false, without any work, if
 * another process has the lock and this one does not wait for it.
 */
export async function withLock(
  pool: Pool,
  key: number,
  work: (database: PoolClient) => Promise<void>,
  { wait = false } = {},
): Promise<boolean> {
  const { database, rollback, release } = await acquireConnection(pool);
  try {
    const take = wait ? "pg_advisory_lock($1) is not null" : "pg_try_advisory_lock($1)";
    const { rows } = await database.query<{ isTaken: boolean }>(`select ${take} as "isTaken"`, [key]);
    if (rows[0]?.isTaken !== true) return false;
    try {
      await work(database);
    } catch (error) {
      await rollback();
      throw error;
    } finally {
      await database.query("select pg_advisory_unlock($1)", [key]).catch(() => {});
    }
    return true;
  } finally {
    release();
  }
}
