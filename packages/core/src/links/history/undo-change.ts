import type { Em } from "../../db/em.ts";
import { type Database, databaseOf } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Account } from "../../kernel/context.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { toFailure } from "../../rpc/failure.ts";
import type { Call } from "../../rpc/procedure.ts";
import type { ChangedMany } from "../bulk/selection.ts";
import { bytesOf } from "../storage.ts";
import { changeBy } from "./change.ts";
import { checksOf } from "./undo-checks.ts";
import { type Step, stepOf } from "./undo-step.ts";
import { readCreated, readSubjects } from "./undo-subjects.ts";
import { type Path, writeSteps } from "./undo-write.ts";

/** Links that are changed back in one transaction */
export const maxUndoneLinks = 10_000;

export interface Undone extends ChangedMany {
  change_id: string;
  /** What was done to the link, if the change was of one; null if it was of many */
  only: Step | null;
}

/** What is done in the transaction of an undo, besides. */
interface Surroundings<Answer> {
  /** Called first */
  begin(database: Database): Promise<void>;
  /** Called last; makes the answer. What it throws rolls back. */
  end(tx: Em, undone: Undone): Promise<Answer>;
}

/**
 * Undoes a change of the account in one transaction, and returns the answer that `end` makes. If a change of many links cannot
 * be undone for some of them, the results say why; the reason is thrown if there is one link, or none can be changed back.
 */
export async function undo<Answer>(
  ctx: Call & { account: Account },
  id: string,
  { begin, end }: Surroundings<Answer>,
): Promise<Answer> {
  const { deps, account, actor } = ctx;
  const check = await checksOf(ctx, id);
  const change = { ...changeBy(ctx), undoes: id };
  const refused = new Map<string, unknown>();
  let steps: Step[] = [];
  let paths: Path[] = [];
  let answer: Answer;
  let room = { links: 0, bytes: 0 };
  const giveBack = (links: number, bytes: number) => deps.storage.release(account.id, links, bytes);

  try {
    answer = await ctx.em.transactional(async (tx) => {
      const database = databaseOf(tx);
      await begin(database);
      const target = await lockChange(database, account.id, id);
      if (target) refuseTarget(id, target);
      const subjects = await (target ? readSubjects : readCreated)(database, account.id, id);
      if (subjects.length === 0) throw notFound("Change");
      for (const subject of subjects) {
        try {
          const step = stepOf(id, subject);
          await check(step);
          steps.push(step);
        } catch (error) {
          refused.set(subject.link_id, error);
        }
      }
      if (steps.length === 0) throw [...refused.values()][0];
      const wanted = await roomFor(database, steps);
      await deps.storage.take(actor, wanted);
      room = wanted;
      const written = await writeSteps(database, change, account.id, steps);
      paths = written.paths;
      for (const [link, error] of written.taken) refused.set(link, error);
      steps = steps.filter((step) => !written.taken.has(step.id));
      if (steps.length === 0) throw [...refused.values()][0];
      if (target) await mark(database, id, change.id, target.undoes, refused.size === 0);
      const [only = null] = subjects.length === 1 ? steps : [];
      const results = Array.from(refused, ([link, error]) => resultOf(link, error));
      const counts = { matched: subjects.length, changed: steps.length };
      return end(tx, { ...counts, change_id: change.id, results, only });
    });
  } catch (error) {
    giveBack(room.links, room.bytes);
    throw error;
  }
  giveBack(steps.filter(({ kind }) => kind === "remove").length, 0);
  for (const path of paths) deps.invalidate(path);
  return answer;
}

interface Target {
  by_kind: string;
  undoes: string | null;
  undone_by: string | null;
  links: number;
}

/** Undefined if the id is of no recorded change; it may be that of a creation. */
async function lockChange(database: Database, accountId: string, id: string): Promise<Target | undefined> {
  const { rows } = await database.query<Target>({
    name: "lock-change",
    text: `select by_kind, undoes, undone_by, coalesce(links, (
             select count(*) from (select from link_changes where change_id = $1 limit ${maxUndoneLinks + 1}) t
           ))::int as links
           from changes where id = $1 and account_id = $2 for update`,
    values: [id, accountId],
  });
  return rows[0];
}

function refuseTarget(id: string, { by_kind, undone_by, links }: Target): void {
  if (by_kind === "admin") {
    throw new AppError("FORBIDDEN", "The operator of this service made this change; ask them to undo it");
  }
  if (undone_by !== null) {
    throw new AppError(
      "CONFLICT",
      `Change ${id} was undone by change ${undone_by}; undo that one to redo it`,
    );
  }
  if (links > maxUndoneLinks) {
    const most = maxUndoneLinks.toLocaleString("en");
    throw new AppError(
      "CONFLICT",
      `Change ${id} is of more than ${most} links, which cannot be undone at once`,
    );
  }
}

/** What an undo had undone is in effect again when the undo is undone. */
async function mark(
  database: Database,
  id: string,
  by: string,
  undoes: string | null,
  isComplete: boolean,
): Promise<void> {
  if (isComplete) await database.query("update changes set undone_by = $2 where id = $1", [id, by]);
  const text = "update changes set undone_by = null where id = $1 and undone_by = $2";
  if (undoes !== null) await database.query(text, [undoes, id]);
}

/** What the steps add to what the account stores. The texts of deleted links are counted already. */
async function roomFor(
  database: Database,
  steps: readonly Step[],
): Promise<Parameters<Deps["storage"]["take"]>[1]> {
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

function resultOf(id: string, error: unknown): ChangedMany["results"][number] {
  const { status, message } = toFailure(error);
  if (status >= 500) throw error;
  return { id, status, error: message };
}
