import type { Base } from "../../db/base.ts";
import { coreEvent } from "../../kernel/events.ts";
import type { JobStatus } from "./job.schema.ts";

interface Ending {
  status: Exclude<JobStatus, "waiting" | "running">;
  /** For its owner */
  error: string | null;
}

/**
 * Ends a job, with `leasedBy` only if that node still has it. What it has not done is deleted. Does nothing if it has ended.
 */
export async function endJob(
  { pool, clock, onEvent }: Pick<Base, "pool" | "clock" | "onEvent">,
  { id, kind }: { id: string; kind: string },
  { status, error }: Ending,
  leasedBy: string | null = null,
): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; done: number; total: number }>({
    name: "end-job",
    text: `with ended as (
             update jobs set status = $2, error = $3, ended_at = $4, leased_by = null, leased_until = null
             where id = $1 and ended_at is null and ($5::uuid is null or leased_by = $5)
             returning id, account_id, done, total
           ), untouched as (
             delete from job_parts where result is null and job_id in (select id from ended)
           ), begun as (
             update job_parts set items = null
             where result is not null and items is not null and job_id in (select id from ended)
           )
           select account_id, done, total from ended`,
    values: [id, status, error, clock(), leasedBy],
  });
  const [job] = rows;
  if (!job) return;
  const { account_id: account, done, total } = job;
  onEvent(coreEvent("job_ended", { id, account, kind, status, done, total, error }));
}
