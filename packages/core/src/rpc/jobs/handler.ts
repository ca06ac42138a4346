import type { AccountCall, CallDeps } from "../call.ts";
import type { Database } from "../../db/statements.ts";
import type { JobCounts } from "./job.schema.ts";
import type { LeasedJob } from "./lease.ts";

/** What became of the first items of a part. */
export interface PartOutcome {
  /** Items that are done; the others are left for later */
  done: number;
  counts: JobCounts;
  /** Kept for the result file */
  result: readonly unknown[];
  /** Seconds until the others may be tried */
  retryAfter?: number | undefined;
}

/** How jobs of one kind are done. */
export interface JobHandler<Deps extends CallDeps = CallDeps> {
  /**
   * Works on the items of a part. It calls `finish` last in the transaction of all its effects, which is rolled back if that
   * throws: the node may have lost the job, or its owner cancelled it. Without effects, it returns the outcome.
   */
  work(
    call: AccountCall<Deps>,
    job: Pick<LeasedJob, "id" | "input">,
    items: readonly unknown[],
    finish: (database: Database, outcome: PartOutcome) => Promise<void>,
  ): Promise<PartOutcome | void>;
}

export type JobHandlers<Deps extends CallDeps = CallDeps> = Readonly<Record<string, JobHandler<Deps>>>;
