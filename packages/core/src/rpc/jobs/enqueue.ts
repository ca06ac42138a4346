import { issue } from "../../kernel/issues.ts";
import type { CallDeps } from "../call.ts";
import { type Actor, makerOf } from "../../kernel/context.ts";
import type { Permission } from "../../kernel/roles.ts";
import type { Database } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Plan } from "../../kernel/names.ts";
import type { JobCounts } from "./job.schema.ts";

/** Jobs of an account that have not ended, and ended ones that it keeps */
const maxOpen = 5;
const maxEnded = 20;
/** Share of the plan's bytes that the results of ended jobs may take; the latest ones stay in any case */
const shareOfStorage = 0.1;

interface NewJob {
  accountId: string;
  /** Who starts it, and what they must still be allowed to do when a part begins */
  actor: Actor;
  permission: Permission;
  /** Names its handler */
  kind: string;
  input: object;
  /** The counts before the first part is done */
  counts?: JobCounts;
}

/**
 * Adds a job, in a transaction; `addParts` inserts its parts into `job_parts`. Throws 429 if the account has too many jobs that
 * have not ended. Returns its id.
 */
export async function enqueue(
  { newId, clock, plans }: Pick<CallDeps, "newId" | "clock" | "plans">,
  database: Database,
  { accountId, actor, permission, kind, input, counts = {} }: NewJob,
  addParts: (jobId: string) => Promise<void>,
): Promise<string> {
  const { rows: owners } = await database.query<{ plan: Plan }>(
    "select plan from workspaces where id = $1 for no key update",
    [accountId],
  );
  const { rows } = await database.query<{ open: number }>(
    "select count(*)::int as open from jobs where account_id = $1 and ended_at is null",
    [accountId],
  );
  if ((rows[0]?.open ?? 0) >= maxOpen) {
    const message = `This account has ${maxOpen} unfinished jobs: wait for one to finish, or cancel one`;
    const params = { max: maxOpen, resource: "jobs", seconds: 30 };
    throw new AppError("TOO_MANY_REQUESTS", issue("", "limit_reached", message, params), { retryAfter: 30 });
  }
  const { stored_megabytes } = plans[owners[0]?.plan ?? "free"].limits;
  await database.query(
    `delete from jobs where id in (
       select id from (
         select id, row_number() over latest as place, sum(bytes) over latest as bytes
         from jobs, lateral (
           select coalesce(sum(pg_column_size(result)), 0) as bytes from job_parts where job_id = jobs.id) results
         where account_id = $1 and ended_at is not null window latest as (order by id desc)) ended
       where place >= ${maxEnded} or (place > 1 and bytes > $2))`,
    [accountId, stored_megabytes * 1e6 * shareOfStorage],
  );
  const id = newId();
  await database.query(
    `insert into jobs (id, account_id, kind, input, counts, total, created_at, created_by, permission)
     values ($1, $2, $3, $4, $5, 0, $6, $7, $8)`,
    [id, accountId, kind, JSON.stringify(input), JSON.stringify(counts), clock(), makerOf(actor), permission],
  );
  await addParts(id);
  await database.query(
    "update jobs set total = (select coalesce(sum(size), 0) from job_parts where job_id = $1) where id = $1",
    [id],
  );
  return id;
}
