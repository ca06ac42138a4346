import type { JobHandler, PartOutcome } from "../../jobs/index.ts";
import { type CreatedMany, createMany } from "../bulk/create.ts";
import type { Author } from "../../kernel/context.ts";
import { startedBy } from "../history/author.ts";
import type { ImportedRow } from "./imports.types.ts";

/** What the job of an import knows of it. */
export interface ImportInput {
  dry_run: boolean;
  by: Author;
}

const taken = 409;
const tooMany = 429;

/** Creates the links of a part, as a bulk creation does. Rows beyond the rate limit are left for later. */
export const importJob: JobHandler = {
  async work(call, { input }, items, finish) {
    const rows = items as ImportedRow[];
    const { dry_run, by } = input as ImportInput;
    const links = rows.map(([, link]) => link);
    let isFinished = false;
    const created = await createMany(
      startedBy(call, by),
      { links, on_error: "continue", dry_run },
      {
        begin: async () => {},
        async end(database, answer) {
          isFinished = true;
          await finish(database, outcomeOf(rows, answer));
        },
        pastOf(index) {
          const { created_at, clicks } = rows[index]?.[2] ?? {};
          return { ...(created_at && { created_at: new Date(created_at) }), imported_clicks: clicks };
        },
      },
    );
    return isFinished ? undefined : outcomeOf(rows, created);
  },
};

function outcomeOf(rows: readonly ImportedRow[], { results, retry_after }: CreatedMany): PartOutcome {
  const limited = results.findIndex(({ status }) => status === tooMany);
  const finished = limited === -1 ? results : results.slice(0, limited);
  const existing = finished.filter(
    ({ status, short_url }) => status === taken && short_url !== undefined,
  ).length;
  const refused = finished.filter(({ error }) => error !== undefined).length - existing;
  const imported_clicks = finished.reduce(
    (sum, { index, error }) => sum + (error === undefined ? (rows[index]?.[2]?.clicks ?? 0) : 0),
    0,
  );
  return {
    done: finished.length,
    counts: { created: finished.length - existing - refused, existing, refused, imported_clicks },
    result: finished.map(({ index, short_url, error }) => {
      const [row, { url }] = rows[index] as ImportedRow;
      return { row, url, ...(short_url && { short_url }), ...(error && { reason: error }) };
    }),
    retryAfter: limited === -1 ? undefined : (retry_after ?? 1),
  };
}
