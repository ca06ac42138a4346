import type { Jobs } from "./job.schema.ts";
import { type AccountCall, type CallDeps, systemCallFor } from "../call.ts";
import type { Database } from "../../db/statements.ts";
import type { JobCounts } from "./job.schema.ts";
import { endJob, type LeasedJob, leaseJob, leaseTime, nextPart, type Part, releaseJob } from "./lease.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import { inTransaction } from "../../db/connection.ts";
import { coreEvent } from "../../kernel/events.ts";
import { dayMs, isoTime } from "../../kernel/time.ts";
import { toFailure } from "../failure.ts";

/** The outcome for the first items of a part. */
export interface PartOutcome {
  /** Items that are done; the others are left for later */
  done: number;
  counts: JobCounts;
  /** Kept for the result file */
  result: readonly unknown[];
  /** Seconds until the others may be tried */
  retryAfter?: number | undefined;
}

/**
 * Works on the items of a part of a job, and returns the outcome. It calls `finish` last in the transaction of all its effects,
 * if there are any. That is rolled back if `finish` throws: the node may have lost the job, or its owner cancelled it.
 */
export type JobHandler<Deps extends CallDeps = CallDeps> = (
  call: AccountCall<Deps>,
  job: Pick<LeasedJob, "id" | "input">,
  items: readonly unknown[],
  finish: (database: Database, outcome: PartOutcome) => Promise<void>,
) => Promise<PartOutcome>;

export type JobHandlers<Deps extends CallDeps = CallDeps> = Readonly<Record<string, JobHandler<Deps>>>;

/** Jobs that a node works on at a time */
const atOnce = 2;
/** Milliseconds after which another job gets its turn */
const turnMs = 1000;
/** Milliseconds between searches for due jobs */
const pauseMs = 500;
/** A job ends when a part has failed this often in a row, with growing pauses between. */
const maxFailures = 10;

/** A job ends when it has been refused (429) this often in a row, for this long, without progress. */
const maxRefusals = 100;
const maxRefusedMs = dayMs;

/** See Jobs. Parts follow each other with pauses as long as they took, so that requests come first. */
export function createJobs<Deps extends CallDeps>(deps: Deps, handlers: JobHandlers<Deps>): Jobs {
  const node = deps.newId();

  /** Gives due jobs a turn; returns how many. */
  async function turns(): Promise<number> {
    const leased: LeasedJob[] = [];
    while (leased.length < atOnce) {
      const job = await leaseJob(deps, node);
      if (job === null) break;
      leased.push(job);
    }
    await Promise.all(leased.map(turn));
    return leased.length;
  }

  async function turn(job: LeasedJob): Promise<void> {
    const end = performance.now() + turnMs;
    let wait: number | null = 0;
    try {
      while (wait === 0 && performance.now() < end && !loop.signal.aborted) {
        const startedAt = performance.now();
        wait = await workOnPart(job);
        await sleep(performance.now() - startedAt, undefined, { signal: loop.signal }).catch(() => {});
      }
    } catch (error) {
      if (error instanceof JobLost) return;
      wait = await afterFailure(job, error);
    }
    if (wait !== null) await releaseJob(deps, node, job, wait);
  }

  /** Works on the next part. Returns the seconds until the one after it; null if the job has ended. */
  async function workOnPart(job: LeasedJob): Promise<number | null> {
    const { account, starter, refusal, part } = await nextPart(deps, job);
    if (refusal !== null || part === null) {
      await endJob(deps, job, { status: refusal === null ? "done" : "cancelled", error: refusal }, node);
      return null;
    }
    const handler = handlers[job.kind];
    // A newer version, running at the same time, may have kinds that this one does not know.
    if (!handler) return afterRefusal(job, `this node knows no jobs of the kind "${job.kind}"`, 5);
    let isFinished = false;
    const finish = async (database: Database, outcome: PartOutcome) => {
      await finishPart(database, node, job, part, outcome);
      isFinished = true;
    };
    const outcome = await handler(systemCallFor(deps, account, starter), job, part.items, finish);
    if (!isFinished) await inTransaction(deps.pool, (database) => finish(database, outcome));
    const { done, retryAfter = 0 } = outcome;
    return retryAfter > 0 && done === 0
      ? afterRefusal(job, "a rate limit was reached", retryAfter)
      : retryAfter;
  }

  /** Ends a job that is always refused. Returns the seconds until the next try, or null. */
  async function afterRefusal(job: LeasedJob, reason: string, retryAfter: number): Promise<number | null> {
    const now = deps.clock();
    const { rows } = await deps.pool.query<{ refusals: number; since: string }>(
      `update jobs set refusals = refusals + 1, refused_since = coalesce(refused_since, $3)
       where id = $1 and leased_by = $2 returning refusals, refused_since as since`,
      [job.id, node, now],
    );
    const [row] = rows;
    if (!row || row.refusals < maxRefusals || now.getTime() - Date.parse(row.since) < maxRefusedMs)
      return retryAfter;
    const error = `Refused ${row.refusals} times in a row since ${isoTime(row.since)}: ${reason}`;
    await endJob(deps, job, { status: "failed", error }, node);
    return null;
  }

  /** Errors of the job end it; errors of the service are retried. */
  async function afterFailure(job: LeasedJob, error: unknown): Promise<number | null> {
    const { status, message, retryAfter } = toFailure(error);
    if (status === 429) return afterRefusal(job, message, retryAfter ?? 1);
    if (status < 500) {
      await endJob(deps, job, { status: "failed", error: message }, node);
      return null;
    }
    const { rows } = await deps.pool.query<{ failures: number }>(
      "update jobs set failures = failures + 1 where id = $1 and leased_by = $2 returning failures",
      [job.id, node],
    );
    const failures = rows[0]?.failures ?? 0;
    const { id, kind, account_id: account } = job;
    deps.onEvent(coreEvent("job_failing", { id, account, kind, failures, err: error }));
    if (failures >= maxFailures) {
      await endJob(deps, job, { status: "failed", error: message }, node);
      return null;
    }
    return 2 ** Math.min(failures, 6) / 2;
  }

  const loop = backgroundLoop({
    runOnce: async () => ((await turns()) > 0 ? 0 : pauseMs),
    retryMs: 5000,
    onFailure: (err) => deps.onEvent(coreEvent("jobs_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("jobs_restored")),
  });

  return {
    async run() {
      while ((await turns()) > 0);
    },
    start: loop.start,
    close: loop.stop,
  };
}

/** Thrown in the transaction of a part whose job another node has, or that has ended. */
export class JobLost extends Error {}

/** Stores the outcome of a part, in the transaction of its effects, if this node still has the job. */
export async function finishPart(
  database: Database,
  node: string,
  job: LeasedJob,
  { number, items, result: before }: Part,
  { done, counts, result }: PartOutcome,
): Promise<void> {
  // Before the job: two transactions with the same part wait for each other here, and nowhere else.
  const left = items.slice(done);
  await database.query("update job_parts set items = $3, result = $4 where job_id = $1 and number = $2", [
    job.id,
    number,
    left.length > 0 ? JSON.stringify(left) : null,
    JSON.stringify([...before, ...result]),
  ]);
  const { rows } = await database.query<{ counts: JobCounts }>(
    "select counts from jobs where id = $1 and leased_by = $2 and ended_at is null for update",
    [job.id, node],
  );
  const [row] = rows;
  if (!row) throw new JobLost("Another node has the job, or it has ended");
  await database.query(
    `update jobs set done = done + $2, counts = $3, failures = 0, leased_until = now() + ${leaseTime},
       refusals = case when $2 > 0 then 0 else refusals end,
       refused_since = case when $2 > 0 then null else refused_since end
     where id = $1`,
    [job.id, done, JSON.stringify(sumOf(row.counts, counts))],
  );
}

function sumOf(one: JobCounts, other: JobCounts): JobCounts {
  const names = Object.keys({ ...one, ...other }) as (keyof JobCounts)[];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
