import { cannotUndo } from "./undo-read.ts";
import { type AccountCall, accountProcedure, type Call, type LinkDeps } from "../call.ts";
import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { jobStarted } from "../../rpc/jobs/job.schema.ts";
import { limitBulkCalls } from "../../rpc/procedure.ts";
import { idInput, deletedSchema, isId } from "../../kernel/validation/ids.ts";
import { mapOrRefuse } from "../accept.ts";
import { changedMany, type ChangedMany, maxBulkLinks } from "../bulk/bulk.schema.ts";
import { enqueueLinks, refusalOf, withBulkSlot } from "../bulk/selection.ts";
import { bothOf, type Moved, transfer, transferIn } from "../transfer.ts";
import { findLink, toLinks } from "../link.row.ts";
import { type Link, linkSchema } from "../link.schema.ts";
import { authorOf, type Change, changeBy } from "../../history/change.ts";
import { checksOf, type Step, stepOf } from "./undo-checks.ts";
import {
  assertUndoable,
  type Changed,
  changedIds,
  lockTarget,
  readCreated,
  readSubjects,
} from "./undo-read.ts";
import { type Path, writeSteps } from "./undo-write.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";
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
    description: `Restores the changed fields to their previous values. A deleted link comes back with its id, slug and clicks; a created one is deleted. Plan, quota, blocked hosts and loops are checked as in an update. If a later change touched the same field, or the slug is taken, the answer is 409. For a change of many links, those that cannot be changed back are in \`results\`; more than ${maxUndoneLinks.toLocaleString("en")} are changed back by a job. An undo is itself a change.`,
    successDescription: "The link as it is now; if many links were changed, how many were changed back",
    acceptedDescription: "The job that undoes the change; its id is also that of the undo in the history",
    successMeta: z.object({ change_id: z.string() }).describe("The change that this undo is"),
    errors: [404, 409, 429],
  })
  .use(limitBulkCalls)
  .input(idInput)
  .output(z.union([z.union([linkSchema, deletedSchema, changedMany]), jobStarted]))
  .mutation(async ({ ctx, input: { id } }) => {
    if (!isId(id)) throw notFound("Change");
    return withBulkSlot(ctx.deps, ctx.account.id, async () => {
      const moved = await transferIn(ctx.deps.pool, ctx.account.id, id);
      const most = moved ? maxBulkLinks : maxUndoneLinks;
      const ids = await changedIds(ctx.deps.pool, id, most + 1);
      if (ids.length > most) return startUndo(ctx, id);
      const undoing = { changeId: id, ids, change: { ...changeBy(ctx), undoes: id }, isWhole: true };
      if (moved) {
        return moveBack(ctx, moved, undoing, async () => {
          ctx.reply.meta = { change_id: undoing.change.id };
        });
      }
      return undo(ctx, undoing, async (database, undone, em) => {
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

/** Moves links of a transfer back, which the caller must be allowed to do in both workspaces. */
async function moveBack(
  ctx: AccountCall,
  moved: Moved,
  { changeId, ids, change, isWhole }: Undoing,
  finish: (database: Database, answer: ChangedMany) => Promise<void>,
): Promise<ChangedMany> {
  const workspaces = await bothOf(ctx, { from: moved.to, to: moved.from });
  const end = async (database: Database, answer: ChangedMany) => {
    const target = await lockTarget(database, ctx.account.id, changeId);
    if (!target) throw notFound("Change");
    assertUndoable(changeId, target);
    if (target.undoes !== null) await markRedone(database, target.undoes, changeId);
    if (isWhole && answer.results.length === 0) await markUndone(database, changeId, change.id);
    await finish(database, answer);
  };
  return transfer(ctx, { ...workspaces, ids }, { change, finish: end }, false);
}

/** The data of an undo's job. */
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
  if (!job) return;
  const message = `Change ${change} is being undone by job ${job.id}`;
  throw new AppError("CONFLICT", cannotUndo(message, { reason: "undoing", change, job: job.id }));
}

/** Undoes one part of a change. The last part records that it is undone, if it is for all links. */
export async function undoPart(
  ctx: AccountCall,
  ids: readonly string[],
  { change, finish }: Transaction,
  changeId: string,
): Promise<ChangedMany> {
  const undoing = { changeId, ids, change: { ...change, undoes: changeId }, isWhole: false };
  const end = async (database: Database, undone: ChangedMany) => {
    await finish?.(database, undone);
    const { rowCount } = await database.query(
      "select from jobs where id = $1 and done = total and coalesce((counts ->> 'refused')::int, 0) = 0",
      [change.id],
    );
    if (rowCount !== 0) await markUndone(database, changeId, change.id);
    return undone;
  };
  const moved = await transferIn(ctx.deps.pool, ctx.account.id, changeId);
  return moved
    ? moveBack(ctx, moved, undoing, async (database, answer) => void (await end(database, answer)))
    : undo(ctx, undoing, end);
}

interface Undone extends ChangedMany {
  change_id: string;
  /** The step for the link, if the change was of one; null if it was of many */
  only: Step | null;
}

/** The subject of an undo. */
interface Undoing extends Changed {
  /** The change that the undo is */
  change: Change & { undoes: string };
  /** Whether these are all links of the change, and not a part of them */
  isWhole: boolean;
}

/**
 * Undoes a change of the account in one transaction, of all its links or of some, and returns the answer that `end` makes at the
 * end of the transaction. If it cannot be undone for some of them, the results say why; of a whole change, the reason is thrown if
 * none can be changed back.
 */
async function undo<Answer extends object>(
  ctx: AccountCall,
  { change, isWhole, ...changed }: Undoing,
  end: (database: Database, undone: Undone, em: Em) => Promise<Answer>,
): Promise<Answer> {
  const { deps, account, actor } = ctx;
  const id = changed.changeId;
  const check = await checksOf(ctx, changed);
  const refused = new Map<string, unknown>();
  let steps: Step[] = [];
  let paths: Path[] = [];
  let answer: Answer;
  let giveBack = () => {};
  let unused = { links: 0, bytes: 0 };

  try {
    answer = await inIdempotentTransaction(ctx, async (database, em) => {
      const target = await lockTarget(database, account.id, id);
      if (target) assertUndoable(id, target);
      const subjects = target
        ? await readSubjects(database, account.id, changed)
        : await readCreated(database, account.id, id);
      if (subjects.length === 0) throw notFound("Change");
      steps = await mapOrRefuse(
        subjects,
        async (subject) => {
          const step = stepOf(id, subject);
          await check(step);
          return step;
        },
        ({ link_id }, error) => refused.set(link_id, error),
      );
      if (steps.length === 0 && isWhole) throw [...refused.values()][0];
      giveBack = await deps.storage.take(actor, await roomFor(database, steps));
      const written = await writeSteps(database, change, account.id, steps);
      paths = written.paths;
      for (const [link, error] of written.taken) refused.set(link, error);
      unused = await roomFor(
        database,
        steps.filter((step) => written.taken.has(step.id)),
      );
      steps = steps.filter((step) => !written.taken.has(step.id));
      if (steps.length === 0 && isWhole) throw [...refused.values()][0];
      if (target?.undoes != null) await markRedone(database, target.undoes, id);
      if (target && isWhole && refused.size === 0) await markUndone(database, id, change.id);
      const [only = null] = subjects.length === 1 ? steps : [];
      const results = Array.from(refused, ([link, error]) => refusalOf(link, error));
      const counts = { matched: subjects.length, changed: steps.length };
      return end(database, { ...counts, change_id: change.id, results, only }, em);
    });
  } catch (error) {
    giveBack();
    throw error;
  }
  const removed = steps.filter(({ kind }) => kind === "remove").length;
  deps.storage.release(account.id, removed + unused.links, unused.bytes);
  for (const path of paths) deps.invalidate(path);
  return answer;
}

/** Records that a change is undone for all of its links. */
async function markUndone(database: Database, id: string, by: string): Promise<void> {
  await database.query("update changes set undone_by = $2 where id = $1", [id, by]);
}

/** Undoing an undo puts the original change into effect again. */
async function markRedone(database: Database, id: string, by: string): Promise<void> {
  await database.query("update changes set undone_by = null where id = $1 and undone_by = $2", [id, by]);
}

/** The space that the steps need. The texts of deleted links are already counted. */
async function roomFor(
  database: Database,
  steps: readonly Step[],
): Promise<Parameters<LinkDeps["storage"]["take"]>[1]> {
  let bytes = 0;
  const restored: string[] = [];
  for (const step of steps) {
    if (step.kind === "update") bytes += bytesOf({ ...step.now, ...step.columns }) - bytesOf(step.now);
    if (step.kind !== "restore") continue;
    bytes += bytesOf(step.columns);
    restored.push(step.id);
  }
  if (restored.length === 0) return { links: 0, bytes };
  const { rows } = await database.query<{ counted: number }>(
    `select coalesce(sum(octet_length(destination) + coalesce(octet_length(title), 0)), 0)::float8 as counted
     from deleted_links where id = any($1)`,
    [restored],
  );
  return { links: restored.length, bytes: bytes - (rows[0]?.counted ?? 0) };
}
