import { isoTime } from "../../kernel/time.ts";
import type { Job, JobCounts, JobStatus } from "./job.schema.ts";

/** A row of `jobs`, as it is read for its account. */
export interface JobRow {
  id: string;
  kind: string;
  status: JobStatus;
  done: number;
  total: number;
  counts: JobCounts;
  /** Of an import */
  not_taken: string[] | null;
  error: string | null;
  created_at: string;
  ended_at: string | null;
  change_id: string | null;
  undone_by: string | null;
}

/** What a job changes is a change with its id. */
export const jobColumns = `id, kind, status, done, total, counts, error, created_at, ended_at,
  input -> 'not_taken' as not_taken,
  (select c.id from changes c where c.id = jobs.id) as change_id,
  (select c.undone_by from changes c where c.id = jobs.id) as undone_by`;

export const toJob = ({ counts, not_taken, error, created_at, ended_at, ...row }: JobRow): Job => ({
  ...row,
  ...((row.done > 0 || not_taken) && { result: { ...counts, ...(not_taken && { not_taken }) } }),
  problem: error,
  created_at: isoTime(created_at),
  ended_at: isoTime(ended_at),
});
