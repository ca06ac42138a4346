import type { AccountCall } from "../call.ts";
import { type Database, databaseOf } from "../../db/statements.ts";
import { inTransaction } from "../../db/transaction.ts";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { enqueue } from "../../rpc/jobs/enqueue.ts";
import type { Author } from "../../kernel/context.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { linksPerPart } from "../bulk/chosen.ts";
import type { Transaction } from "../bulk/change.ts";
import type { ChangedMany } from "../bulk/selection.ts";
import { authorOf } from "../../history/change.ts";
import { markUndone, undo } from "./undo-change.ts";
import { lockTarget, refuseTarget } from "./undo-target.ts";

/** What the job of an undo knows of it. */
export interface UndoInput {
  /** The change that it undoes */
  change: string;
  by: Author;
}

export const undoKind = "links.undo";

/** Starts a job that undoes a change of the account. Throws 409 if one does so already. */
export async function startUndo(ctx: AccountCall, change: string): Promise<{ job_id: string }> {
  const { deps, account, actor, reply } = ctx;
  let job_id = "";
  await inTransaction(deps.pool, async (database) => {
    await claim(ctx, database);
    const target = await lockTarget(database, account.id, change);
    if (!target) throw notFound("Change");
    refuseTarget(change, target);
    await refuseSecond(database, account.id, change);
    const input: UndoInput = { change, by: authorOf(actor) };
    const job = { accountId: account.id, kind: undoKind, input };
    reply.status = 202;
    job_id = await enqueue(deps, database, job, (id) => addParts(database, id, change));
    await keep(ctx, database, { job_id });
    return true;
  });
  return { job_id };
}

async function refuseSecond(database: Database, accountId: string, change: string): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    "select id from jobs where account_id = $1 and ended_at is null and kind = $2 and input ->> 'change' = $3",
    [accountId, undoKind, change],
  );
  const [job] = rows;
  if (job) throw new AppError("CONFLICT", `Change ${change} is being undone by job ${job.id}`);
}

const addParts = async (database: Database, jobId: string, change: string): Promise<void> => {
  await database.query(
    `insert into job_parts (job_id, number, size, items)
     select $1, number, count(*), json_agg(link_id order by link_id)
     from (
       select link_id, (row_number() over (order by link_id) - 1) / ${linksPerPart} as number
       from link_changes where change_id = $2
     ) numbered
     group by number`,
    [jobId, change],
  );
};

/** Undoes one part of a change. The last part notes that it is undone, if it is for all links. */
export function undoPart(
  ctx: AccountCall,
  ids: readonly string[],
  { change, end }: Transaction,
  changeId: string,
): Promise<ChangedMany> {
  const undoing = { changeId, ids, change: { ...change, undoes: changeId }, isWhole: false };
  return undo(ctx, undoing, {
    begin: async () => {},
    async end(tx, undone) {
      const database = databaseOf(tx);
      await end(database, undone);
      const { rowCount } = await database.query(
        "select from jobs where id = $1 and done = total and coalesce((counts ->> 'refused')::int, 0) = 0",
        [change.id],
      );
      if (rowCount !== 0) await markUndone(database, changeId, change.id);
      return undone;
    },
  });
}
