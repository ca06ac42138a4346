import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { codeOf, isCheckViolation, isDeadlock, isSerializationFailure } from "../../../db/errors.ts";
import { inTransaction } from "../../../db/connection.ts";
import type { Meter } from "../../../kernel/meter.ts";
import type { Tracer } from "../../../kernel/tracer.ts";
import type { ClickedLink } from "../../../outbox/deletions.ts";
import { recordClicks, type StoredClick } from "../../../outbox/record-clicks.ts";
import { createSequence, idOf } from "../../click-id.ts";
import type { Locator } from "../../derive/locate.ts";
import { countPermits } from "../../permits.ts";
import {
  type Advance,
  advancePart,
  advanceSegment,
  type PartBit,
  type PartProgress,
  type Progress,
} from "../positions.ts";
import type { LinkPeriod, QuarterHour } from "../prepare/click-counts.ts";
import { type Batch, createPreparer, type Preparer } from "../prepare/prepare.ts";
import { newVisitors } from "../prepare/visitors.ts";
import { accountDeltasOf, addAccountSums } from "../rollups/account-sums.ts";
import { addLinkDays } from "../rollups/link-days.ts";
import { rollups } from "../rollups/rollups.ts";
import { addClickCounts, addClicks, addLinkCampaigns, clicksOf } from "./add-clicks.ts";
import { ensurePartitions, type Partitions } from "./partitions.ts";
import { requireRows, SeenRows } from "./required-rows.ts";

/** `prepare` does what can be done before a batch is stored, while the database is busy with the batch before. */
export interface ClickStore extends Preparer {
  /**
   * Stores raw clicks, rollups, the links' counts and the position of their source in one transaction. Returns false and
   * stores nothing if a segment's position is not `progress.from`, because another drain has counted this batch. `writer`
   * reserved the limited clicks among them.
   */
  store(batch: Batch, progress: Progress | Advance | null, writer?: string): Promise<boolean>;
  /** The same for a part of a large batch. Several parts of a batch may be stored at the same time. */
  storePart(part: PreparedPart, progress: PartProgress, writer: string): Promise<boolean>;
}

/** A part of a large batch, ready to be stored. */
export interface PreparedPart {
  bit: PartBit;
  batch: Batch;
}

/** A retry resolves a deadlock, a serialization failure, and a partition that the retention has dropped. */
const isRetryable = (error: unknown) =>
  isDeadlock(error) || isSerializationFailure(error) || isCheckViolation(error);
const maxAttempts = 5;

/** Stores clicks in a database; one for each process that counts. */
export function createClickStore(
  pool: Pool,
  clock: () => Date,
  randomBytes: (size: number) => Uint8Array,
  locator?: Locator,
): ClickStore {
  const nextSequence = createSequence(Buffer.from(randomBytes(4)).readUInt32BE(0));
  const partitions: Partitions = new Map();
  const preparer = createPreparer(pool, clock, randomBytes, locator);
  /** By connection. A new one may lead to another server, with older contents. */
  const seen = new WeakMap<PoolClient, SeenRows>();

  function forget(): void {
    preparer.forget();
    partitions.clear();
  }

  async function write(database: PoolClient, batch: Batch, writer?: string): Promise<void> {
    const finding = newVisitors(database, batch);
    finding.catch(() => {});
    // Statements are made while the database works on the one before. In between, redirects may need the event loop.
    const sequences = Int32Array.from(batch.clicks, nextSequence);
    const clicks = addClicks(batch, sequences);
    await yieldToEventLoop();
    const unique = await finding;
    const adding = database.query(clicks(unique));
    adding.catch(() => {});
    const visitorsIn = visitorsByQuarterHour(batch, unique);
    const statements: QueryConfig[] = [];
    const campaigns = addLinkCampaigns(batch);
    if (campaigns !== null) statements.push(campaigns);
    // Late, since anyone who edits one of these links waits for it.
    statements.push(addClickCounts(batch.links));
    if (writer !== undefined && batch.links.some(({ limited }) => limited > 0))
      statements.push(countPermits(writer, batch.links));
    // Last, since all parts of a batch, and all drains, add to the same rows of an account.
    for (const rollup of rollups) {
      statements.push(rollup.add(batch, visitorsIn));
      await yieldToEventLoop();
    }
    await adding;
    await recordClicks(
      database,
      batch.owners.map(({ number }) => number),
      () => peopleOfAccounts(batch, sequences),
      () => clickedLinks(batch),
      clock(),
    );
    await addLinkDays(database, batch, visitorsIn);
    for (const statement of statements) await database.query(statement);
    await addAccountSums(database, accountDeltasOf(batch));
  }

  /**
   * `advance` runs last: parts of a batch that are stored at the same time share the row of their segment, as they share those of
   * accounts, so that each would wait for the other one's commit. If it returns false, all that was written before is undone.
   */
  async function storeInTransaction(
    batch: Batch,
    { begin, advance, writer }: { begin?: Begin; advance: Advance | null; writer: string | undefined },
  ): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await ensurePartitions(
          pool,
          batch.days.map(({ start }) => start),
          partitions,
        );
        return await inTransaction(pool, async (database) => {
          let seenHere = seen.get(database);
          if (seenHere === undefined) {
            seen.set(database, (seenHere = new SeenRows()));
            forget();
          }
          await begin?.(database);
          await requireRows(database, batch, seenHere);
          if (batch.links.length > 0) await write(database, batch, writer);
          return advance === null || advance(database);
        });
      } catch (error) {
        forget();
        if (attempt === maxAttempts || !isRetryable(error)) throw error;
      }
    }
  }

  return {
    prepare: preparer.prepare,
    forget,

    store(batch, progress, writer) {
      const advance =
        progress === null || typeof progress === "function" ? progress : advanceSegment(progress);
      return storeInTransaction(batch, { advance, writer });
    },

    storePart({ bit, batch }, progress, writer) {
      return storeInTransaction(batch, {
        begin: (database) => lockPart(database, bit),
        advance: advancePart(progress, bit),
        writer,
      });
    },
  };
}

type Begin = (database: PoolClient) => Promise<void>;

/** The clicks that webhooks may be told. */
const peopleOfAccounts = ({ clicks }: Batch, sequences: Int32Array): StoredClick[] =>
  clicks.flatMap(({ time, period: { account, link }, is_bot }, at) =>
    account && !is_bot
      ? [{ id: String(idOf(time, sequences[at] as number)), link: link.id, account: account.number }]
      : [],
  );

const clickedLinks = ({ links }: Batch): ClickedLink[] =>
  links.map((link) => ({ id: link.id, clicks: clicksOf(link), lastClick: link.lastClick }));

/** Counts new visitors by period first, since most clicks share theirs. */
function visitorsByQuarterHour(
  { clicks }: Batch,
  isUnique: Uint8Array,
): (quarterHour: QuarterHour) => number {
  const byPeriod = new Map<LinkPeriod, number>();
  for (const [at, { period }] of clicks.entries())
    if (isUnique[at] === 1) byPeriod.set(period, (byPeriod.get(period) ?? 0) + 1);
  const visitors = new Map<QuarterHour, number>();
  for (const [{ quarterHours }, count] of byPeriod)
    for (const quarterHour of quarterHours)
      visitors.set(quarterHour, (visitors.get(quarterHour) ?? 0) + count);
  return (quarterHour) => visitors.get(quarterHour) ?? 0;
}

/** Counts and times the batches of a store, and shows them in traces. */
export function measuredStore(
  store: ClickStore,
  { meter, tracer }: { meter: Meter; tracer: Tracer },
): ClickStore {
  const batches = (result: string) => meter.counter("terse_drain_batches_total", { result });
  const stored = batches("stored");
  const elsewhere = batches("elsewhere");
  const failed = batches("failed");
  const clicks = meter.counter("terse_clicks_counted_total");
  const duration = meter.histogram("terse_drain_batch_duration_seconds");

  /** Measures the storing of a batch; it returns false if another drain had counted it. */
  function measured(batch: Batch, work: () => Promise<boolean>): Promise<boolean> {
    return tracer.span("clicks.count", {}, async (span) => {
      const started = performance.now();
      try {
        const isStored = await work();
        duration.observe((performance.now() - started) / 1000);
        const count = isStored ? batch.clicks.length : 0;
        clicks.value += count;
        (isStored ? stored : elsewhere).value++;
        span?.set({ "terse.clicks": count });
        return isStored;
      } catch (error) {
        failed.value++;
        throw error;
      }
    });
  }

  return {
    ...store,
    store: (batch, progress, writer) => measured(batch, () => store.store(batch, progress, writer)),
    storePart: (part, progress, writer) =>
      measured(part.batch, () => store.storePart(part, progress, writer)),
  };
}

/** First key of the advisory locks; the second is the part. */
const lockKey = 7_230_002;

/**
 * Waits until no other drain stores this part of a batch of its own; ends with the transaction. It is only for speed: parts with the
 * same bit have rows of the same links, and all drains lock rows in the same order anyway.
 */
async function lockPart(database: PoolClient, bit: PartBit): Promise<void> {
  await database.query({
    name: "lock-part",
    text: "select pg_advisory_xact_lock($1, $2)",
    values: [lockKey, bit],
  });
}

/** Whether the error concerns what a segment contains, which the database or this version refuses, so that others can still be counted. */
export function isRefused(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  // Class 21: cardinality violations; 22: data exceptions; 23: constraint violations.
  return /^2[123]...$/.test(codeOf(error));
}
