import type { Base } from "../../db/base.ts";
import { inTransaction } from "../../db/connection.ts";
import { lease } from "../../db/lease.ts";
import { type Account, type Acting, type Person, toAccount } from "../../kernel/context.ts";
import { mayDo, type Permission, type Role } from "../../kernel/roles.ts";
import { coreEvent } from "../../kernel/events.ts";
import type { Mail } from "../../mail/mail.types.ts";
import { queueMail } from "../../mail/queue.ts";
import type { CallDeps } from "../call.ts";
import type { JobCounts, JobStatus } from "./job.schema.ts";

/** The database's time as the column stores it: rounded to milliseconds, which may be half a one later. */
const storedNow = "now()::timestamptz(3)";

/** A node that has not finished a part for this long has lost its job. Counted by the database's clock. */
export const leaseTime = "interval '20 seconds'";

/** A job that this node works on. */
export interface LeasedJob {
  id: string;
  kind: string;
  account_id: string;
  input: unknown;
}

/**
 * Leases the job that waits longest; null if none is due. Of an account's jobs only the oldest one that has not ended is due,
 * and every job gets its turn before one gets another.
 */
export async function leaseJob({ pool }: Pick<Base, "pool">, node: string): Promise<LeasedJob | null> {
  const rows = await lease<LeasedJob>(pool, {
    name: "lease-job",
    table: "jobs",
    due: `where ended_at is null and (leased_until is null or leased_until <= ${storedNow})
            and not exists (
              select from jobs o where o.account_id = jobs.account_id and o.ended_at is null and o.id < jobs.id)
          order by leased_until nulls first, id`,
    limit: 1,
    set: `status = 'running', leased_by = $1, leased_until = now() + ${leaseTime}`,
    returning: "jobs.id, kind, account_id, input",
    values: [node],
  });
  return rows[0] ?? null;
}

/** Lets other jobs, and other nodes, have their turn. This job is due again after some seconds. */
export async function releaseJob(
  { pool }: Pick<Base, "pool">,
  node: string,
  { id }: LeasedJob,
  afterSeconds = 0,
): Promise<void> {
  await pool.query({
    name: "release-job",
    text: `update jobs set leased_by = null, leased_until = now() + make_interval(secs => $3)
           where id = $1 and leased_by = $2`,
    values: [id, node, afterSeconds],
  });
}

/** The next part of a job, and the account and the person that it acts for. */
export interface NextPart {
  account: Account;
  starter: Acting;
  /** Null if the account may not act now */
  refusal: string | null;
  /** Null if all are done */
  part: Part | null;
}

export interface Part {
  number: number;
  /** Those that are not done */
  items: readonly unknown[];
  /** Of those that are done */
  result: readonly unknown[];
}

export async function nextPart({ pool }: Pick<Base, "pool">, job: LeasedJob): Promise<NextPart> {
  const { rows } = await pool.query<
    Account & {
      refusal: string | null;
      person: Person | null;
      role: Role | null;
      permission: Permission | null;
      number: number | null;
      items: unknown[];
      result: unknown[] | null;
    }
  >({
    name: "next-job-part",
    text: `select w.id, w.name, w.plan, m.role,
             case when p.id is not null then jsonb_build_object('id', p.id, 'email', p.email, 'name', p.name) end as person, j.permission, part.number, part.items, part.result,
             case when coalesce(w.suspended_at, p.suspended_at) is not null or p.deactivated then 'The account is suspended'
                  when w.deletes_at is not null then 'The account is being deleted'
                  when p.id is not null and m.role is null then 'The person who started it has left the workspace'
                  end as refusal
           from jobs j join workspaces w on w.id = j.account_id
           left join workspaces p on p.id = j.created_by
           left join members m on m.workspace_id = w.id and m.user_id = p.id
           left join lateral (
             select number, items, result from job_parts where job_id = $1 and items is not null order by number limit 1
           ) part on true
           where j.id = $1`,
    values: [job.id],
  });
  const [row] = rows;
  if (!row) throw new Error("The account of a job is missing");
  const { number, items, result, person, role, permission } = row;
  const isDemoted = role !== null && permission !== null && !mayDo(role, permission);
  const refusal = isDemoted ? "The person who started it may no longer do this" : row.refusal;
  const part = number === null ? null : { number, items, result: result ?? [] };
  const starter = person !== null && role !== null ? { user: person, role } : {};
  return { account: toAccount(row), starter, refusal, part };
}

interface Ending {
  status: Exclude<JobStatus, "waiting" | "running">;
  /** For its owner */
  error: string | null;
}

/** Ends a job, with `leasedBy` only if that node still has it. Unfinished parts are deleted. Does nothing if it has ended. */
export async function endJob(
  deps: Pick<CallDeps, "pool" | "clock" | "onEvent" | "newId">,
  { id, kind }: { id: string; kind: string },
  { status, error }: Ending,
  leasedBy: string | null = null,
): Promise<void> {
  const job = await inTransaction(deps.pool, async (database) => {
    const now = deps.clock();
    const { rows } = await database.query<Ended>({
      name: "end-job",
      text: `with ended as (
               update jobs set status = $2, error = $3, ended_at = $4, leased_by = null, leased_until = null
               where id = $1 and ended_at is null and ($5::uuid is null or leased_by = $5)
               returning id, account_id, done, total, counts, created_at, created_by
             ), untouched as (
               delete from job_parts where result is null and job_id in (select id from ended)
             ), begun as (
               update job_parts set items = null
               where result is not null and items is not null and job_id in (select id from ended)
             )
             select ended.account_id, done, total, counts, created_at, user_id as person from ended
             left join members on workspace_id = account_id and user_id = created_by`,
      values: [id, status, error, now, leasedBy],
    });
    const [ended] = rows;
    // Who cancels a job knows.
    if (ended?.person && leasedBy !== null && now.getTime() - Date.parse(ended.created_at) > longMs)
      await queueMail(database, deps, { person: ended.person }, mailAbout(kind, status, ended));
    return ended;
  });
  if (!job) return;
  const { account_id: account, done, total } = job;
  deps.onEvent(coreEvent("job_ended", { id, account, kind, status, done, total, error }));
}

interface Ended {
  account_id: string;
  done: number;
  total: number;
  counts: JobCounts;
  created_at: string;
  /** Who started it, if they are still a member */
  person: string | null;
}

/** Milliseconds after which people have stopped waiting for a job, and get a mail when it ends */
const longMs = 60_000;

function mailAbout(kind: string, status: Ending["status"], { account_id, done, counts }: Ended): Mail {
  const { refused = 0 } = counts;
  const path = `${kind === "links.import" ? "/import" : "/changes"}?workspace=${account_id}`;
  return { kind: "job_ended", data: { job: kind, status, done: done - refused, failed: refused, path } };
}
