import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { countPermits } from "../../permits/index.ts";
import { createClickIds } from "../../click-id.ts";
import { ensurePartitions, type Partitions } from "./partitions.ts";
import { type Batch, createPreparer, type PreparedClick, type Preparer } from "../prepare/prepare.ts";
import type { Slot } from "../prepare/slots.ts";
import { idsAreThere, OutdatedBatchError } from "./ids.ts";
import { addClickCounts } from "../rollups/click-count.ts";
import { rollups } from "../rollups/rollups.ts";
import { addClicks, addVisitors } from "./statements.ts";
import type { QuarterHour } from "../prepare/tally.ts";
import { inTransaction } from "../../../db/transaction.ts";
import { recordClicks, type StoredClick } from "../../../outbox/index.ts";

/**
 * Notes in the transaction that stores a batch how far its source is counted. Returns false if another process has counted the
 * batch already; nothing is stored then. It may be called again after a failure.
 */
export type Advance = (database: PoolClient) => Promise<boolean>;

/** Which bytes of a segment a batch was read from. */
export interface Progress {
  segment: string;
  from: number;
  to: number;
  /** Whether the segment's file still exists */
  exists: () => Promise<boolean>;
}

/** `prepare` does what can be done before a batch is stored, while the database is busy with the batch before. */
export interface ClickStore extends Preparer {
  /**
   * Stores raw clicks, rollups, the links' counts and the position of their source in one transaction. Returns false and
   * stores nothing if a segment's position is not `progress.from`, because another drain has counted this batch. `writer`
   * took the limited clicks among them.
   */
  store(batch: Batch, progress: Progress | Advance | null, writer?: string): Promise<boolean>;
}

/** Errors that a retry resolves: a deadlock, a serialization failure, a partition that the retention has dropped. */
const retryable = new Set(["40P01", "40001", "23514"]);
const maxAttempts = 5;

/** Stores clicks in a database; one for each process that counts. */
export function createClickStore(
  pool: Pool,
  clock: () => Date,
  randomBytes: (size: number) => Uint8Array,
): ClickStore {
  const idAt = createClickIds(Buffer.from(randomBytes(4)).readUInt32BE(0));
  const partitions: Partitions = new Map();
  const preparer = createPreparer(pool, clock, randomBytes);
  /** Connections that were used already. A new one may lead to another server, with older contents. */
  const known = new WeakSet<PoolClient>();

  function forget(): void {
    preparer.forget();
    partitions.clear();
  }

  async function write(database: PoolClient, batch: Batch, writer?: string): Promise<void> {
    const finding = newVisitors(database, batch);
    finding.catch(() => {});
    // Statements are made while the database works on the one before. In between, redirects may need the event loop.
    const ids = batch.clicks.map(({ time }) => idAt(time));
    const clicks = addClicks(batch, ids);
    await yieldToEventLoop();
    const unique = await finding;
    const adding = database.query(clicks((click) => unique.has(click)));
    adding.catch(() => {});
    const visitorsIn = visitorsByQuarterHour(unique);
    const statements: QueryConfig[] = [];
    for (const rollup of rollups) {
      statements.push(rollup.add(batch, visitorsIn));
      await yieldToEventLoop();
    }
    // Last, since anyone who edits one of these links waits for it.
    statements.push(addClickCounts(batch.links));
    if (writer !== undefined && batch.links.some(({ limited }) => limited > 0))
      statements.push(countPermits(writer, batch.links));
    await adding;
    await recordClicks(database, peopleOfAccounts(batch, ids), clock());
    for (const statement of statements) await database.query(statement);
  }

  return {
    prepare: preparer.prepare,
    forget,

    async store(batch, progress, writer) {
      const advance =
        progress === null || typeof progress === "function" ? progress : advanceSegment(progress);
      for (let attempt = 1; ; attempt++) {
        try {
          await ensurePartitions(
            pool,
            batch.days.map(({ start }) => start),
            partitions,
          );
          return await inTransaction(pool, async (database) => {
            if (!known.has(database)) {
              known.add(database);
              forget();
            }
            if (advance && !(await advance(database))) return false;
            const { rows } = await database.query<{ there: boolean }>(idsAreThere(batch));
            if (rows[0]?.there !== true) throw new OutdatedBatchError();
            await write(database, batch, writer);
            return true;
          });
        } catch (error) {
          forget();
          if (attempt === maxAttempts || !retryable.has(String((error as { code?: unknown }).code)))
            throw error;
        }
      }
    },
  };
}

/**
 * Moves a segment's position. A segment without one is either new, or was counted to its end and deleted; in that case
 * its file was deleted first.
 */
const advanceSegment =
  ({ segment, from, to, exists }: Progress): Advance =>
  async (database) => {
    const first = from === 0;
    const { rowCount } = await database.query(
      first
        ? {
            name: "begin-segment",
            text: "insert into click_segments (id, position) values ($1, $2) on conflict do nothing",
            values: [segment, to],
          }
        : {
            name: "advance-segment",
            text: "update click_segments set position = $2 where id = $1 and position = $3",
            values: [segment, to, from],
          },
    );
    return rowCount === 1 && (!first || (await exists()));
  };

/** Returns the first clicks of visitors who are new on their link and day. */
async function newVisitors(database: PoolClient, batch: Batch): Promise<ReadonlySet<PreparedClick>> {
  const { rows } = await database.query<{ visitors: string | null }>(addVisitors(batch));
  const added = rows[0]?.visitors?.split(",") ?? [];
  return new Set(added.map((visitor) => batch.visitors.get(visitor) as PreparedClick));
}

/** The clicks that webhooks may be told. */
const peopleOfAccounts = ({ clicks }: Batch, ids: readonly string[]): StoredClick[] =>
  clicks.flatMap(({ slot: { account }, is_bot }, place) =>
    account && !is_bot ? [{ id: ids[place] as string, account: account.number }] : [],
  );

/** Counts new visitors by slot first, since most clicks share theirs. */
function visitorsByQuarterHour(unique: ReadonlySet<PreparedClick>): (quarterHour: QuarterHour) => number {
  const bySlot = new Map<Slot, number>();
  for (const { slot } of unique) bySlot.set(slot, (bySlot.get(slot) ?? 0) + 1);
  const visitors = new Map<QuarterHour, number>();
  for (const [{ quarterHours }, count] of bySlot)
    for (const quarterHour of quarterHours)
      visitors.set(quarterHour, (visitors.get(quarterHour) ?? 0) + count);
  return (quarterHour) => visitors.get(quarterHour) ?? 0;
}
