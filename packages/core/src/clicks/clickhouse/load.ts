import type { Pool, PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { openSnapshot, transactionOn } from "../../db/connection.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { allBlocks } from "../blocks/read-blocks.ts";
import { type Month, monthsOf, monthStart } from "../drain/store/partitions.ts";
import type { ClickHouseConnection } from "./connection.ts";
import { type CopyState, hasTrigger, nextCopyAfter, readState } from "./shipments.ts";
import {
  type Contents,
  contentsOf,
  copiedColumns,
  copiedRow,
  createTables,
  dropMonth,
  linesOf,
  linesOfBlock,
  monthNumber,
  monthsIn,
} from "./tables.ts";

/** Characters of one insert, about: some hundred thousand clicks */
const insertLength = 16 * 1024 * 1024;
/** Milliseconds that counting waits at most while a copy begins */
const lockMs = 10_000;

/**
 * Copies all raw clicks that PostgreSQL has, month by month. What is counted from now on waits in `clickhouse_queue`. Months that
 * PostgreSQL dropped stay in ClickHouse. The caller holds the lock of the copy; after an interruption, the next call begins again.
 */
export async function load(
  pool: Pool,
  database: PoolClient,
  clickhouse: ClickHouseConnection,
  signal: AbortSignal,
): Promise<void> {
  await createTables(clickhouse);
  const { snapshot, shipment, until, token } = await begin(pool, database, await contentsOf(clickhouse));
  try {
    // The next shipment may be long in coming. And before a month is dropped, since a later call must not take that for a loss.
    await clickhouse.insert("shipments", ["shipment"], String(shipment));
    // PostgreSQL has late clicks at most of a month that it dropped.
    const months = (await monthsOf(snapshot.database)).filter(({ first }) => Date.parse(first) >= until);
    const oldest = monthNumber(months[0]?.first ?? utcDate(until));
    for (const month of await monthsIn(clickhouse)) if (month >= oldest) await dropMonth(clickhouse, month);
    const insert = async (lines: string) => {
      // This node may have lost the lock; and a connection that is silent for long counts as lost.
      await database.query("select");
      await clickhouse.insert("clicks", copiedColumns, lines);
    };
    for (const month of months) {
      // Links get their numbers outside the snapshot, which can only be read.
      await inPieces(rowsOf(snapshot.database, month), signal, async (rows) =>
        insert(await linesOf(database, rows.trimEnd(), 0)),
      );
      await inPieces(blocksOf(snapshot.database, month), signal, insert);
    }
    // With another token, clicks have moved to another account since: the next call begins again.
    await database.query("update clickhouse_copy set is_live = true where token = $1", [token]);
  } finally {
    await snapshot.close();
  }
}

/**
 * From one moment on, each click is either in the returned snapshot or in the queue: counting waits for the time between.
 * The numbers of shipments continue after the last one that arrived, also if the database has gone back in time.
 */
const begin = (pool: Pool, database: PoolClient, contents: Contents) =>
  transactionOn(database, async () => {
    await database.query(`set local lock_timeout = ${lockMs}`);
    await database.query("lock table clicks in share row exclusive mode");
    const isQueueing = await hasTrigger(database);
    await database.query(
      `create or replace trigger queue_for_clickhouse after insert on clicks
       referencing new table as added for each statement execute function queue_for_clickhouse()`,
    );
    await database.query("delete from clickhouse_queue");
    const { rows } = await database.query<{ until: string | null }>(
      `select extract(epoch from max(month) + interval '1 month') * 1000 as until from click_months_dropped`,
    );
    const until = Number(rows[0]?.until ?? 0);
    const state = await readState(database);
    const shipment = nextCopyAfter(Math.max(state?.claimed ?? 0, contents.shipment));
    const { rows: copies } = await database.query<{ token: string }>(
      `insert into clickhouse_copy (is_live, since, claimed, shipped, token) values (false, $1, $2, $2, gen_random_uuid())
       on conflict (one) do update set is_live = false, since = excluded.since, claimed = excluded.claimed,
         shipped = excluded.shipped, token = excluded.token
       returning token`,
      [sinceOf({ until, state, contents, isQueueing }), shipment],
    );
    const snapshot = await openSnapshot(pool);
    // A snapshot begins with its first statement.
    await snapshot.database.query("set local statement_timeout = 0; select 1");
    return { snapshot, shipment, until, token: copies[0]?.token };
  });

/** Whole lines of the rows of a month. */
async function* rowsOf(snapshot: PoolClient, { partition }: Month): AsyncGenerator<string, void> {
  const stream = snapshot.query(
    copyTo(`copy (select ${copiedRow} from ${partition} c where account_number is not null) to stdout`),
  );
  let incomplete = "";
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    incomplete += chunk.toString("latin1");
    const end = incomplete.lastIndexOf("\n") + 1;
    yield incomplete.slice(0, end);
    incomplete = incomplete.slice(end);
  }
}

async function* blocksOf(snapshot: PoolClient, { first, next }: Month): AsyncGenerator<string, void> {
  const days = { from: Date.parse(first), to: Date.parse(next) };
  for await (const block of allBlocks(snapshot, days, { ids: true }))
    if (block.account !== 0) yield linesOfBlock(block);
}

/** Inserts lines, many at once. */
async function inPieces(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  insert: (lines: string) => Promise<void>,
): Promise<void> {
  let piece = "";
  for await (const some of lines) {
    signal.throwIfAborted();
    piece += some;
    if (piece.length < insertLength) continue;
    await insert(piece);
    piece = "";
  }
  if (piece !== "") await insert(piece);
}

/**
 * Milliseconds since the epoch before which ClickHouse will not have all clicks when PostgreSQL's are copied, which are those from
 * `until` on; null if it will have all. Older months in ClickHouse count if the copy was known to have them, and if nothing can be
 * missing between them and `until`. It may have fewer than was known: a restored database does not know what was dropped since.
 */
function sinceOf({
  until,
  state,
  contents: { shipment, first, last },
  isQueueing,
}: {
  /** The end of the last month that PostgreSQL dropped; 0 if it dropped none */
  until: number;
  /** Null if PostgreSQL knows of no copy */
  state: CopyState | null;
  contents: Contents;
  /** Whether clicks were put into the queue until now */
  isQueueing: boolean;
}): number | null {
  if (until === 0) return null;
  if (state === null || first === null || last === null || first >= until) return until;
  // Clicks are counted, and copied, a little later than they happen.
  const reaches = last >= until + dayMs;
  const lacksShipments = shipment < state.shipped || !isQueueing;
  return lacksShipments && !reaches ? until : Math.max(state.since ?? 0, monthStart(first));
}
