import type { PoolClient } from "pg";
import { transactionOn } from "../../db/connection.ts";
import type { ClickHouseConnection } from "./connection.ts";
import { copiedColumns, linesOf } from "./tables.ts";
import type { Database } from "../../db/statements.ts";

/** Clicks in a shipment, about: one block for ClickHouse, and some MB here */
const maxClicks = 100_000;

/**
 * Sends the clicks in `clickhouse_queue`, a shipment at a time. The caller holds the lock of the copy. A shipment is
 * put together in one transaction and taken out of the queue in another: if it is sent again in between, its rows and
 * its token are the same, so that ClickHouse stores it once.
 */
export async function shipAll(database: PoolClient, clickhouse: ClickHouseConnection): Promise<void> {
  for (;;) {
    const state = (await readState(database)) as CopyState;
    const isUnfinished = state.claimed > state.shipped;
    const shipment = isUnfinished ? state.claimed : state.claimed + 1;
    const token = isUnfinished ? state.token : await assemble(database, shipment);
    if (token === null) return;
    const { rows } = await database.query<{ rows: string }>(
      "select rows from clickhouse_queue where shipment = $1 order by number",
      [shipment],
    );
    const lines = rows.map((row) => row.rows).join("\n");
    await clickhouse.insert("clicks", copiedColumns, await linesOf(database, lines, shipment), token);
    await clickhouse.insert("shipments", ["shipment"], String(shipment));
    await transactionOn(database, async () => {
      await database.query("delete from clickhouse_queue where shipment = $1", [shipment]);
      await database.query("update clickhouse_copy set shipped = $1", [shipment]);
    });
  }
}

/** Assembles the next shipment, and returns its token; null if nothing waits. */
async function assemble(database: PoolClient, shipment: number): Promise<string | null> {
  const { rows } = await database.query<{ token: string }>(
    `with waiting as (
       select number, sum(clicks) over (order by number) - clicks as before from clickhouse_queue
       where number in (select number from clickhouse_queue order by number limit 1000)
     ), chosen as (
       update clickhouse_queue q set shipment = $1 from waiting w where q.number = w.number and before < ${maxClicks}
       returning 1
     )
     update clickhouse_copy set claimed = $1, token = gen_random_uuid() where exists (select from chosen) returning token`,
    [shipment],
  );
  return rows[0]?.token ?? null;
}

/** The state of the copy, as PostgreSQL knows it. */
export interface CopyState {
  /** False until everything that PostgreSQL had when the copy began is in ClickHouse */
  isLive: boolean;
  /** Milliseconds since the epoch before which ClickHouse has no clicks; null if it has all */
  since: number | null;
  /** The last shipment that was assembled. It is being sent if it is greater than `shipped`. */
  claimed: number;
  /** The last shipment that arrived */
  shipped: number;
  /** By which ClickHouse recognises `claimed` */
  token: string;
}

/** Null if nothing was ever copied. */
export async function readState(database: Database): Promise<CopyState | null> {
  const { rows } = await database.query<CopyState>({
    name: "clickhouse-copy",
    text: `select is_live as "isLive", since::float8, claimed::float8, shipped::float8, token from clickhouse_copy`,
  });
  return rows[0] ?? null;
}

/** Each full copy starts its shipment numbers at another multiple of a million, so that a number tells its copy. */
const shipmentsPerCopy = 1_000_000;

/** The number with which a copy begins that is made after a shipment. */
export const nextCopyAfter = (shipment: number): number =>
  (Math.floor(shipment / shipmentsPerCopy) + 1) * shipmentsPerCopy;

/** Whether all that ClickHouse had in one state is there in a later one, and was there all the time between. */
export const isUnchanged = (before: CopyState, after: CopyState | null): boolean =>
  after?.isLive === true &&
  after.since === before.since &&
  nextCopyAfter(after.shipped) === nextCopyAfter(before.shipped);

/** Whether the trigger that queues counted clicks for ClickHouse is installed. */
export async function hasTrigger(database: Database): Promise<boolean> {
  const { rowCount } = await database.query("select from pg_trigger where tgname = 'queue_for_clickhouse'");
  return rowCount === 1;
}
