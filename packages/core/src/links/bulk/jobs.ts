import type { AccountCall, LinkDeps } from "../call.ts";
import type { JobHandler, JobHandlers, PartOutcome } from "../../rpc/jobs/runner.ts";
import type { Author } from "../../kernel/context.ts";
import type { OptionColumns } from "../../redirects/rules/rules.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { changeBy, startedBy } from "../../history/change.ts";
import { type UndoInput, undoKind, undoPart } from "../history/undo.ts";
import { transferKind, type TransferInput, transferPart } from "../transfer.ts";
import { importJob } from "../from-file/job.ts";
import { withHashed } from "../options.ts";
import { changeFields } from "../link.schema.ts";
import { type ChangedColumns, changesIn } from "../update.ts";
import { changeLinks, deleteMany, type Transaction } from "./change.ts";
import type { ChangedMany } from "./bulk.schema.ts";

/** The data of an update's job. */
export interface UpdateInput {
  /** As it was sent, without secrets */
  set: unknown;
  hashed: Partial<OptionColumns>;
  add_tags: readonly string[] | undefined;
  remove_tags: readonly string[] | undefined;
  dry_run: boolean;
  by: Author;
}
export interface DeleteInput {
  dry_run: boolean;
  by: Author;
}

const changes = fieldsOf(changeFields);

/** Changes links in the background, each part like a request for some of the links. */
export const linkJobs: JobHandlers<LinkDeps> = {
  "links.import": importJob,
  "links.update": handlerOf<UpdateInput>((call, ids, transaction, { set, hashed, dry_run, ...tags }) => {
    const parsed = parseOr400(changes, set);
    const columns = async (): Promise<ChangedColumns> => ({ ...(await changesIn(call, parsed)), ...hashed });
    return changeLinks(
      call,
      ids,
      { set: withHashed(parsed, hashed), ...tags, columns },
      transaction,
      dry_run,
    );
  }),
  "links.delete": handlerOf<DeleteInput>((call, ids, transaction, { dry_run }) =>
    deleteMany(call, ids, transaction, dry_run),
  ),
  [transferKind]: handlerOf<TransferInput>(transferPart),
  [undoKind]: handlerOf<UndoInput>((call, ids, transaction, { change }) =>
    undoPart(call, ids, transaction, change),
  ),
};

type Work<Input> = (
  call: AccountCall,
  ids: readonly string[],
  transaction: Transaction,
  input: Input,
) => Promise<ChangedMany>;

/** All parts of a job are one change, which has the job's id. */
function handlerOf<Input extends { by: Author }>(change: Work<Input>): JobHandler<LinkDeps> {
  return async (call, job, items, finish) => {
    const input = job.input as Input;
    const started = startedBy(call, input.by);
    const ids = items as string[];
    const transaction: Transaction = {
      change: changeBy(started, job.id),
      finish: (database, answer) => finish(database, outcomeOf(ids, answer)),
    };
    return outcomeOf(ids, await change(started, ids, transaction, input));
  };
}

const outcomeOf = (ids: readonly string[], { matched, changed, results }: ChangedMany): PartOutcome => ({
  done: ids.length,
  counts: { matched, changed, refused: results.length },
  // A result file has no place for issues.
  result: results.map(({ id, status, error }) => ({ id, status, error })),
});
