import type { Database } from "../../db/statements.ts";
import type { PartOutcome } from "./handler.ts";
import type { JobCounts } from "./job.schema.ts";
import { type LeasedJob, leaseTime, type Part } from "./lease.ts";

/** Thrown in the transaction of a part whose job another node has, or that has ended. */
export class JobLost extends Error {}

/** Stores what became of a part, in the transaction of its effects, if this node still has the job. */
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
