import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient, QueryConfig } from "pg";
import { codeOf, isCheckViolation, isDeadlock, isSerializationFailure } from "../../../db/errors.ts";
import { inTransaction } from "../../../db/connection.ts";
import type { Meter } from "../../../kernel/meter.ts";
import type { Tracer } from "../../../kernel/tracer.ts";
import { recordClicks, type StoredClick } from "../../../outbox/record-clicks.ts";
import { createSequence, idOf } from "../../click-id.ts";
import { countPermits } from "../../permits.ts";
import { type Advance, advanceSegment, type Progress } from "../positions.ts";
import { type Batch, createPreparer, type Preparer, type PreparerDeps } from "../prepare/prepare.ts";
import { newVisitors } from "../prepare/visitors.ts";
import { accountDeltasOf, addAccountSums } from "../rollups/account-sums.ts";
import { addLinkDays, linkDeltasOf } from "../rollups/link-days.ts";
import { addRollup, rollups } from "../rollups/rollups.ts";
import { addClickCounts, addClicks, addLinkCampaigns } from "./add-clicks.ts";
import { ensurePartitions, type Partitions } from "./partitions.ts";
import { requireOwners, requireRows, SeenRows } from "./required-rows.ts";

/** `prepare` does everything possible before a batch is stored, while the database is busy with the previous batch. */
export interface ClickStore extends Preparer {
  /**
   * Stores raw clicks, rollups, the links' counts and the position of their source in one transaction. Returns false and
   * stores nothing if a segment's position is not `progress.from`, because another drain has counted this batch. `writer`
   * reserved the limited clicks among them. Several parts of a batch may be stored at the same time.
   */
  store(batch: Batch, progress: Progress | Advance | null, writer?: string): Promise<boolean>;
}

/** A retry resolves a deadlock, a serialization failure, and a partition that the retention has dropped. */
const isRetryable = (error: unknown) =>
  isDeadlock(error) || isSerializationFailure(error) || isCheckViolation(error);
const maxAttempts = 5;

/** Stores clicks in a database; one for each process that counts. */
export function createClickStore(deps: PreparerDeps): ClickStore {
  const { pool, clock, randomBytes } = deps;
  const nextSequence = createSequence(Buffer.from(randomBytes(4)).readUInt32BE(0));
  const partitions: Partitions = new Map();
  const preparer = createPreparer(deps);
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
    countVisitors(batch, unique);
    const statements: QueryConfig[] = [];
    const campaigns = addLinkCampaigns(batch);
    if (campaigns !== null) statements.push(campaigns);
    // Late, since edits of these links wait for it.
    statements.push(addClickCounts(batch));
    if (writer !== undefined && batch.links.some(({ limited }) => limited > 0))
      statements.push(countPermits(writer, batch.links));
    // Last, since all parts of a batch, and all drains, add to the same rows of an account.
    for (const rollup of rollups) {
      statements.push(addRollup(rollup, batch));
      await yieldToEventLoop();
    }
    await adding;
    await recordClicks(
      database,
      batch.owners.map(({ number }) => number),
      () => peopleOfAccounts(batch, sequences),
      () => batch.links,
      clock(),
    );
    await addLinkDays(database, linkDeltasOf(batch));
    for (const statement of statements) requireOwners(await database.query<{ moved?: number }>(statement));
    await addAccountSums(database, accountDeltasOf(batch));
  }

  async function store(batch: Batch, progress: Progress | Advance | null, writer?: string): Promise<boolean> {
    const advance = typeof progress === "object" ? progress && advanceSegment(progress) : progress;
    const part = typeof progress === "object" ? progress?.part : undefined;
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
          if (part !== undefined && part.bit !== 0) await lockPart(database, part.bit);
          await requireRows(database, batch, seenHere);
          if (batch.links.length > 0) await write(database, batch, writer);
          // Last: parts of a batch that are stored at the same time share the row of their segment, as they share those of
          // accounts, so that each would wait for the other one's commit.
          return advance === null || advance(database);
        });
      } catch (error) {
        forget();
        if (attempt === maxAttempts || !isRetryable(error)) throw error;
      }
    }
  }

  return { prepare: preparer.prepare, forget, store };
}

/** The clicks that webhooks may receive. */
const peopleOfAccounts = ({ clicks }: Batch, sequences: Int32Array): StoredClick[] =>
  clicks.flatMap(({ time, period: { account, link }, is_bot }, at) =>
    account && !is_bot
      ? [{ id: String(idOf(time, sequences[at] as number)), link: link.id, account: account.number }]
      : [],
  );

/** Counts the new visitors of each quarter hour; from zero, since a transaction may be retried. */
function countVisitors({ clicks }: Batch, isUnique: Uint8Array): void {
  for (const { period } of clicks) for (const quarterHour of period.quarterHours) quarterHour.visitors = 0;
  for (const [at, { period }] of clicks.entries())
    if (isUnique[at] === 1) for (const quarterHour of period.quarterHours) quarterHour.visitors += 1;
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

  return {
    ...store,
    store: (batch, progress, writer) =>
      tracer.span("clicks.count", {}, async (span) => {
        const started = performance.now();
        try {
          const isStored = await store.store(batch, progress, writer);
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
      }),
  };
}

/** First key of the advisory locks; the second is the part. */
const lockKey = 7_230_002;

/**
 * Waits until no other drain stores this part of a batch of its own; ends with the transaction. It is only for speed: parts with the
 * same bit have rows of the same links, and all drains lock rows in the same order anyway.
 */
async function lockPart(database: PoolClient, bit: number): Promise<void> {
  await database.query({
    name: "lock-part",
    text: "select pg_advisory_xact_lock($1, $2)",
    values: [lockKey, bit],
  });
}

/**
 * Whether the error concerns a segment's contents, refused by the database or this version, so that others can still
 * be counted.
 */
export function isRefused(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  // Class 21: cardinality violations; 22: data exceptions; 23: constraint violations.
  return /^2[123]...$/.test(codeOf(error));
}
