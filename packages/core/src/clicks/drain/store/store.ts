import { setImmediate as turn } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import type { RawClick } from "../../log/index.ts";
import { createClickIds } from "../../click-id.ts";
import { ensurePartitions, type Partitions } from "./partitions.ts";
import { type Batch, createPreparer, type PreparedClick } from "../prepare/prepare.ts";
import type { Slot } from "../prepare/slots.ts";
import { addDays, addQuarterHours, addValues } from "../rollups/statements.ts";
import { addClickCounts, addClicks, addVisitors } from "./statements.ts";
import type { ClickCounts } from "../prepare/tally.ts";
import { inTransaction } from "../../../db/transaction.ts";

/** How far a batch takes its segment, in bytes. */
export interface Progress {
  segment: string;
  from: number;
  to: number;
  /** Whether the segment's file is there */
  exists: () => Promise<boolean>;
}

export interface ClickStore {
  /** What can be done before a batch's turn comes, while the database is busy with the one before. */
  prepare(clicks: readonly RawClick[]): Promise<Batch>;
  /**
   * One transaction: raw clicks, rollups, the links' counts and the segment's position. False, and nothing done, where
   * the segment is not where `progress` starts: somebody else has counted this batch.
   */
  store(batch: Batch, progress: Progress | null): Promise<boolean>;
}

/** What simply doing it again mends: a deadlock, a serialization failure, a partition that a retention has dropped. */
const passing = new Set(["40P01", "40001", "23514"]);
const attempts = 5;

/** Counts clicks in a database: one for each process that counts. */
export function createClickStore(
  pool: Pool,
  clock: () => Date,
  randomBytes: (size: number) => Uint8Array,
): ClickStore {
  const idAt = createClickIds(Buffer.from(randomBytes(4)).readUInt32BE(0));
  const partitions: Partitions = new Map();

  async function write(database: PoolClient, batch: Batch): Promise<void> {
    const { links, accounts, days } = batch;
    const asking = newVisitors(database, batch);
    asking.catch(() => {});
    // Written while the database works on the statement before, and in turns: there may be redirects to answer.
    const clicks = addClicks(batch, idAt);
    await turn();
    const unique = await asking;
    const adding = database.query(clicks((click) => unique.has(click)));
    adding.catch(() => {});
    const visitorsIn = visitorsOf(unique);
    const rollups: QueryConfig[] = [];
    for (const rollup of [
      () => addQuarterHours("link", links, visitorsIn),
      () => addDays("link", links, days, visitorsIn),
      () => addValues("link", "day", links, days),
      () => addQuarterHours("account", accounts, visitorsIn),
      () => addDays("account", accounts, days, visitorsIn),
      () => addValues("account", "day", accounts, days),
      () => addValues("account", "month", accounts, days),
      // Last, since whoever changes a link waits for it.
      () => addClickCounts(links),
    ]) {
      rollups.push(rollup());
      await turn();
    }
    await adding;
    for (const rollup of rollups) await database.query(rollup);
  }

  return {
    prepare: createPreparer(pool, clock, randomBytes),

    async store(batch, progress) {
      for (let attempt = 1; ; attempt++) {
        try {
          await ensurePartitions(
            pool,
            batch.days.map(({ start }) => start),
            partitions,
          );
          return await inTransaction(pool, async (database) => {
            if (progress && !(await advance(database, progress))) return false;
            await write(database, batch);
            return true;
          });
        } catch (error) {
          partitions.clear();
          if (attempt === attempts || !passing.has(String((error as { code?: unknown }).code))) throw error;
        }
      }
    },
  };
}

/**
 * Moves a segment's position. One that has none is new, or was counted to its end and forgotten: but then its file
 * went first.
 */
async function advance(database: PoolClient, { segment, from, to, exists }: Progress): Promise<boolean> {
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
}

/** The first clicks of those visitors who are new on their link and day. */
async function newVisitors(database: PoolClient, batch: Batch): Promise<ReadonlySet<PreparedClick>> {
  const { rows } = await database.query<{ visitors: string | null }>(addVisitors(batch));
  const fresh = rows[0]?.visitors?.split(",") ?? [];
  return new Set(fresh.map((visitor) => batch.visitors.get(visitor) as PreparedClick));
}

/** Counted by slot first: most clicks share theirs. */
function visitorsOf(unique: ReadonlySet<PreparedClick>): (period: ClickCounts) => number {
  const bySlot = new Map<Slot, number>();
  for (const { slot } of unique) bySlot.set(slot, (bySlot.get(slot) ?? 0) + 1);
  const visitors = new Map<ClickCounts, number>();
  for (const [{ periods }, count] of bySlot)
    for (const period of periods) visitors.set(period, (visitors.get(period) ?? 0) + count);
  return (period) => visitors.get(period) ?? 0;
}
