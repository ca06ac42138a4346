import type { Queries } from "../../db/queries.ts";
import type { JobCall, JobHandler, JobHandlers, PartOutcome } from "../../jobs/index.ts";
import type { OptionColumns } from "../../redirects/index.ts";
import { parseOr400 } from "../../validation/issues.ts";
import { fieldsOf } from "../../validation/inputs.ts";
import { importJob } from "../imports/job.ts";
import { withHashed } from "../options.ts";
import { type ChangedColumns, changeFields, changesIn } from "../update.ts";
import { changeLinks, type Transaction } from "./change.ts";
import { deleteMany } from "./remove.ts";
import type { ChangedMany } from "./selection.ts";

/** What the job of an update knows of it. */
export interface UpdateInput {
  /** As it was sent, without secrets */
  set: unknown;
  hashed: Partial<OptionColumns>;
  dry_run: boolean;
}
export interface DeleteInput {
  dry_run: boolean;
}

const changes = fieldsOf(changeFields);

/** Links that are changed in the background, a part like a request for a part of the links. */
export const linkJobs: JobHandlers = {
  "links.import": importJob,
  "links.update": handlerOf<UpdateInput>((call, ids, transaction, { set, hashed, dry_run }) => {
    const rest = parseOr400(changes, set);
    const columns = async (): Promise<ChangedColumns> => ({ ...(await changesIn(call, rest)), ...hashed });
    return changeLinks(call, ids, { set: withHashed(rest, hashed), columns }, transaction, dry_run);
  }),
  "links.delete": handlerOf<DeleteInput>((call, ids, transaction, { dry_run }) =>
    deleteMany(call, ids, transaction, dry_run),
  ),
};

type Change<Input> = (
  call: JobCall,
  ids: readonly string[],
  transaction: Transaction,
  input: Input,
) => Promise<ChangedMany>;

function handlerOf<Input>(change: Change<Input>): JobHandler {
  return {
    async work(call, input, items, finish) {
      const ids = items as string[];
      let isFinished = false;
      const end = async (database: Queries, answer: ChangedMany) => {
        isFinished = true;
        await finish(database, outcomeOf(ids, answer));
      };
      const answer = await change(call, ids, { begin: async () => {}, end }, input as Input);
      return isFinished ? undefined : outcomeOf(ids, answer);
    },
  };
}

const outcomeOf = (ids: readonly string[], { matched, changed, results }: ChangedMany): PartOutcome => ({
  done: ids.length,
  counts: { matched, changed, refused: results.length },
  result: results,
});
