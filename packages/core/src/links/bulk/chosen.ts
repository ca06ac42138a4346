import type { AccountCall } from "../call.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Database } from "../../db/statements.ts";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { enqueue } from "../../rpc/jobs/enqueue.ts";
import { linksSql } from "../links-sql.ts";
import { conditionOf, type LinkFilter } from "../list-filter.ts";
import { maxBulkLinks } from "./bulk.input.ts";

/** Links of one part of a job: few enough that other requests hardly wait for the transaction that changes them */
export const linksPerPart = 250;

/** The links that a change is about. */
export interface Chosen {
  ids?: readonly string[] | undefined;
  filter?: LinkFilter | undefined;
}

/** The ids of the chosen links; null if there are too many to change them at once. */
export async function chosenIds(
  ctx: AccountCall,
  { ids, filter = {} }: Chosen,
): Promise<readonly string[] | null> {
  if (ids) return ids;
  const { rows } = await ctx.deps.pool.query<{ id: string }>(
    `${await queryOf(ctx, filter)} limit ${maxBulkLinks + 1}`,
  );
  return rows.length > maxBulkLinks ? null : rows.map(({ id }) => id);
}

/** Starts a job for all links that pass a filter now: what passes it later makes no difference. */
export async function startJob(
  ctx: AccountCall,
  filter: LinkFilter,
  kind: string,
  input: object,
): Promise<{ job_id: string }> {
  const query = await queryOf(ctx, filter);
  let job_id = "";
  await inTransaction(ctx.deps.pool, async (database) => {
    await claim(ctx, database);
    const job = { accountId: ctx.account.id, kind, input };
    ctx.reply.status = 202;
    job_id = await enqueue(ctx.deps, database, job, (id) => addParts(database, id, query));
    await keep(ctx, database, { job_id });
    return true;
  });
  return { job_id };
}

const addParts = async (database: Database, jobId: string, query: string): Promise<void> => {
  await database.query(
    `insert into job_parts (job_id, number, size, items)
     select $1, number, count(*), json_agg(id order by id)
     from (select id, (row_number() over (order by id) - 1) / ${linksPerPart} as number from (${query}) chosen) numbered
     group by number`,
    [jobId],
  );
};

/** SQL that selects the ids of the account's links that pass a filter. */
const queryOf = async (ctx: AccountCall, filter: LinkFilter): Promise<string> =>
  linksSql(ctx, await conditionOf(ctx, filter), { columns: ["id"] });
