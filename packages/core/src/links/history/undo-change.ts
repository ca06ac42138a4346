import type { AccountCall, LinkDeps } from "../call.ts";
import type { Em } from "../../db/em.ts";
import type { Database } from "../../db/statements.ts";
import { notFound } from "../../kernel/errors.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { mapOrRefuse } from "../accept.ts";
import type { ChangedMany } from "../bulk/bulk.schema.ts";
import { refusalOf } from "../bulk/selection.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";
import type { Change } from "../../history/change.ts";
import { checksOf, type Step, stepOf } from "./undo-checks.ts";
import { assertUndoable, type Changed, lockTarget, readCreated, readSubjects } from "./undo-read.ts";
import { type Path, writeSteps } from "./undo-write.ts";

export interface Undone extends ChangedMany {
  change_id: string;
  /** What was done to the link, if the change was of one; null if it was of many */
  only: Step | null;
}

/** What an undo is about. */
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
export async function undo<Answer extends object>(
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

/** Notes that a change is undone for all of its links. */
export async function markUndone(database: Database, id: string, by: string): Promise<void> {
  await database.query("update changes set undone_by = $2 where id = $1", [id, by]);
}

/** What an undo had undone is in effect again when the undo is undone. */
async function markRedone(database: Database, id: string, by: string): Promise<void> {
  await database.query("update changes set undone_by = null where id = $1 and undone_by = $2", [id, by]);
}

/** What the steps add to what the account stores. The texts of deleted links are counted already. */
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
