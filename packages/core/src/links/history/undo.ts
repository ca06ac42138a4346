import { type AccountCall, accountProcedure, type Call } from "../call.ts";
import type { Database } from "../../db/statements.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { bulk } from "../../rpc/procedure.ts";
import { byId, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { changedMany, type ChangedMany } from "../bulk/bulk.schema.ts";
import { enqueueLinks, withBulkSlot } from "../bulk/selection.ts";
import { findLink, toLinks } from "../link.row.ts";
import { type Link, linkSchema } from "../link.schema.ts";
import { authorOf, changeBy } from "../../history/change.ts";
import { markUndone, undo, type Undone } from "./undo-change.ts";
import { assertUndoable, changedIds, lockTarget } from "./undo-read.ts";
import { sql } from "../../db/sql.ts";
import type { Author } from "../../kernel/context.ts";
import type { Transaction } from "../bulk/change.ts";
import * as z from "zod";

/** Links that are changed back in one transaction; a job changes more back. */
const maxUndoneLinks = 10_000;

/** Undoes a change: an update sets the old values again, a deleted link comes back, a created one is deleted. */
export const undoChange = accountProcedure
  .meta({
    scope: "links:write",
    route: "POST /v1/changes/{id}/undo",
    tag: "History",
    summary: "Undo a change",
    description: `Sets the fields of the change to what they were before. A deleted link comes back with its id, slug and clicks; a created one is deleted. Plan, quota, blocked hosts and loops are as in an update. If a later change touched the same field, or the slug is taken, the answer is 409. Of a change of many links, those that cannot be changed back are in \`results\`; if there are more than ${maxUndoneLinks.toLocaleString("en")}, a job changes them back. An undo is a change, too.`,
    successDescription: "The link as it is now; if many links were changed, how many were changed back",
    acceptedDescription: "The job that undoes the change; its id is also that of the undo in the history",
    successMeta: z.object({ change_id: z.string() }).describe("The change that this undo is"),
    errors: [404, 409, 429],
  })
  .use(bulk)
  .input(byId)
  .output(z.union([z.union([linkSchema, deletedSchema, changedMany]), jobStarted]))
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Change");
    return withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const ids = await changedIds(ctx.deps.pool, id, maxUndoneLinks + 1);
      if (ids.length > maxUndoneLinks) return startUndo(ctx, id);
      const change = { ...changeBy(ctx), undoes: id };
      return undo(ctx, { changeId: id, ids, change, isWhole: true }, async (database, undone, em) => {
        ctx.reply.meta = { change_id: undone.change_id };
        return answerOf({ ...ctx, em }, database, undone);
      });
    });
  });

async function answerOf(ctx: Call, database: Database, { only, ...undone }: Undone) {
  if (only === null) return undone;
  if (only.kind === "remove") return { id: only.id, deleted: true as const };
  const [link] = await toLinks(ctx, [await findLink(ctx, only.id)], database);
  return link as Link;
}

/** What the job of an undo knows of it. */
export interface UndoInput {
  /** The change that it undoes */
  change: string;
  by: Author;
}

export const undoKind = "links.undo";

/** Starts a job that undoes a change of the account. Throws 409 if one does so already. */
export async function startUndo(ctx: AccountCall, change: string): Promise<{ job_id: string }> {
  const { account, actor } = ctx;
  return inIdempotentTransaction(ctx, async (database) => {
    const target = await lockTarget(database, account.id, change);
    if (!target) throw notFound("Change");
    assertUndoable(change, target);
    await assertNotBeingUndone(database, account.id, change);
    const input: UndoInput = { change, by: authorOf(actor) };
    const ids = sql`select link_id as id from link_changes where change_id = ${change}`;
    return enqueueLinks(ctx, database, { kind: undoKind, input }, ids);
  });
}

async function assertNotBeingUndone(database: Database, accountId: string, change: string): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    "select id from jobs where account_id = $1 and ended_at is null and kind = $2 and input ->> 'change' = $3",
    [accountId, undoKind, change],
  );
  const [job] = rows;
  if (job) throw new AppError("CONFLICT", `Change ${change} is being undone by job ${job.id}`);
}

/** Undoes one part of a change. The last part notes that it is undone, if it is for all links. */
export function undoPart(
  ctx: AccountCall,
  ids: readonly string[],
  { change, finish }: Transaction,
  changeId: string,
): Promise<ChangedMany> {
  const undoing = { changeId, ids, change: { ...change, undoes: changeId }, isWhole: false };
  return undo(ctx, undoing, async (database, undone) => {
    await finish(database, undone);
    const { rowCount } = await database.query(
      "select from jobs where id = $1 and done = total and coalesce((counts ->> 'refused')::int, 0) = 0",
      [change.id],
    );
    if (rowCount !== 0) await markUndone(database, changeId, change.id);
    return undone;
  });
}
