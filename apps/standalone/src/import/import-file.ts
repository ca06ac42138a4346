import type { Account, Core, ImportResult } from "@terse/core";
import { printable, UserError } from "@terse/server";
import { type Line, Occurrences } from "./line.ts";
import { startProgress } from "./progress.ts";
import { readLines } from "./read-lines.ts";
import { noResultFile, openResultFile, resultColumns, type ResultRow } from "./result-file.ts";
import { isSameFile, openSource } from "./source.ts";
import { Tally, type Totals } from "./tally.ts";

export interface ImportJob {
  email: string;
  /** See `Addressing` */
  unverified?: boolean;
  /** Absolute path; null is standard input */
  source: string | null;
  /** Absolute path; null writes no result file */
  result: string | null;
  interrupt: AbortSignal;
}

export type ImportSummary = { file: string; result: string | null } & Totals;

/** Small enough for memory and frequent progress, large enough to make round trips negligible. */
const batchSize = 500;

/**
 * Imports the lines of a file as links of an account, in atomic batches. Rejected lines go to standard error, all lines
 * to the result file. Throws if interrupted; completed batches stay.
 */
export async function importFile(core: Core, job: ImportJob): Promise<ImportSummary> {
  const { source, result, interrupt } = job;
  if (source && result && (await isSameFile(source, result))) {
    throw new UserError(
      "The result would overwrite the imported file: choose another location with --result",
    );
  }
  const account = await core.accounts.byEmail(job.email, job);
  const { bytes, size, position } = await openSource(source, interrupt);
  const file = result === null ? noResultFile : await openResultFile(result, resultColumns);
  const tally = new Tally();
  const occurrences = new Occurrences();
  const progress = startProgress(size);
  try {
    for await (const lines of inBatches(readLines(bytes), batchSize)) {
      const rows = await importLines(core, account, lines, occurrences);
      await file.write(rows);
      tally.add(rows);
      progress.update(position(), tally.total);
      interrupt.throwIfAborted();
    }
    await file.publish();
  } catch (error) {
    await file.discard();
    throw error;
  } finally {
    progress.stop();
  }
  process.stderr.write(printable(tally.rejectedLines(result)));
  return { file: source ?? "-", result, ...tally.totals() };
}

async function importLines(
  core: Core,
  account: Account,
  lines: readonly Line[],
  occurrences: Occurrences,
): Promise<ResultRow[]> {
  const valid = lines.filter(({ fault }) => fault === undefined);
  const imported = await core.importer.importBatch(
    account,
    valid.map((line) => ({ fields: fieldsOf(line), occurrence: occurrences.next(line) })),
  );
  const results = new Map(valid.map((line, at) => [line, imported[at]]));
  return lines.map((line) => toRow(line, results.get(line)));
}

/** What the line says of a link; blank values are missing ones. */
const fieldsOf = ({ url, slug, title, domain, tags }: Line) => ({
  url,
  ...(slug && { slug }),
  ...(title && { title }),
  ...(domain && { domain }),
  ...(tags && { tags: tags.split("|") }),
});

function toRow({ line, url, slug, fault = "" }: Line, result: ImportResult | undefined): ResultRow {
  const row: ResultRow = {
    line,
    url,
    slug,
    status: "rejected",
    short_url: "",
    destination: "",
    reason: fault,
  };
  if (!result) return row;
  if (result.status === "rejected") return { ...row, reason: result.reason };
  const { status, short_url, destination } = result;
  return { ...row, status, short_url, destination };
}

/** Groups items into arrays of `size`; the last one may be shorter. */
async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
