import type { LinkDeps } from "../call.ts";
import type { JobHandler, PartOutcome } from "../../rpc/jobs/runner.ts";
import { type CreatedMany, createMany } from "../bulk/create.ts";
import type { Author } from "../../kernel/context.ts";
import { startedBy } from "../../history/change.ts";
import type { ImportedRow } from "./read-parts.ts";

/** The data of an import's job. */
export interface ImportInput {
  dry_run: boolean;
  by: Author;
  /** Ignored columns */
  not_taken: readonly string[];
}

const taken = 409;
const tooMany = 429;

/** Creates the links of a part, as a bulk creation does. Rows beyond the rate limit are left for later. */
export const importJob: JobHandler<LinkDeps> = async (call, { input }, items, finish) => {
  const rows = items as ImportedRow[];
  const { dry_run, by } = input as ImportInput;
  const readable = rows.filter(([, , , refusal]) => refusal === undefined);
  const links = readable.map(([, fields, totals]) => ({
    fields,
    created_at: totals?.created_at === undefined ? undefined : new Date(totals.created_at),
    imported_clicks: totals?.clicks,
  }));
  const creation = { links, on_error: "continue", dry_run } as const;
  const created = await createMany(startedBy(call, by), creation, (database, answer) =>
    finish(database, outcomeOf(rows, answer)),
  );
  return outcomeOf(rows, created);
};

/**
 * `results` has one for each row that the reader did not refuse. Refused rows were counted when the job was created.
 */
function outcomeOf(rows: readonly ImportedRow[], { results, retry_after }: CreatedMany): PartOutcome {
  const counts = { created: 0, existing: 0, refused: 0, imported_clicks: 0 };
  const result: object[] = [];
  let next = 0;
  for (const [row, { url }, totals, refusal] of rows) {
    if (refusal !== undefined) {
      result.push({ row, url, reason: refusal });
      continue;
    }
    const { status, short_url, error } = results[next++] ?? {};
    if (status === tooMany) return { done: result.length, counts, result, retryAfter: retry_after ?? 1 };
    if (error === undefined) {
      counts.created += 1;
      counts.imported_clicks += totals?.clicks ?? 0;
    } else if (status === taken && short_url !== undefined) counts.existing += 1;
    else counts.refused += 1;
    result.push({ row, url, ...(short_url && { short_url }), ...(error && { reason: error }) });
  }
  return { done: result.length, counts, result };
}
