import type { Database } from "../../db/statements.ts";

/** What PostgreSQL knows of the copy. */
export interface CopyState {
  /** False until everything that PostgreSQL had when the copy began is in ClickHouse */
  isLive: boolean;
  /** Milliseconds since the epoch before which ClickHouse has no clicks; null if it has all */
  since: number | null;
  /** The last shipment that was put together. It is on its way if it is greater than `shipped`. */
  claimed: number;
  /** The last shipment that arrived */
  shipped: number;
  /** By which ClickHouse recognises `claimed` */
  token: string;
}

/** Null if nothing was ever copied. */
export async function readState(database: Database): Promise<CopyState | null> {
  const { rows } = await database.query<{
    is_live: boolean;
    since: string | null;
    claimed: string;
    shipped: string;
    token: string;
  }>({ name: "clickhouse-copy", text: "select * from clickhouse_copy" });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    isLive: row.is_live,
    since: row.since === null ? null : Number(row.since),
    claimed: Number(row.claimed),
    shipped: Number(row.shipped),
    token: row.token,
  };
}

/** Shipments of one copy: the next one begins at the next million, so that a number says which copy it is of. */
const perCopy = 1_000_000;

/** The number with which a copy begins that is made after a shipment. */
export const nextCopyAfter = (shipment: number): number => (Math.floor(shipment / perCopy) + 1) * perCopy;

/** Whether all that ClickHouse had in one state is there in a later one, and was there all the time between. */
export const hasStayed = (before: CopyState, after: CopyState | null): boolean =>
  after?.isLive === true &&
  after.since === before.since &&
  nextCopyAfter(after.shipped) === nextCopyAfter(before.shipped);

/** Whether each click that is counted waits for ClickHouse. */
export async function hasTrigger(database: Database): Promise<boolean> {
  const { rowCount } = await database.query("select from pg_trigger where tgname = 'queue_for_clickhouse'");
  return rowCount === 1;
}
