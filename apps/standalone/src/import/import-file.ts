import type { Account, Core, ImportResult } from "@terse/core";
import { readFile, type ReadRow } from "@terse/importers";
import { printable, UserError } from "@terse/server";
import { Occurrences } from "./occurrences.ts";
import { startProgress } from "../progress.ts";
import { noResultFile, openResultFile, resultColumns, type ResultRow } from "./result-file.ts";
import { isSameFile, readText } from "./source.ts";
import { Tally, type Totals } from "./tally.ts";

export interface ImportJob {
  email: string;
  /** See `Addressing` */
  unverified?: boolean;
  /** Absolute path; null is standard input */
  source: string | null;
  /** Names of the columns, instead of the header's */
  columns?: string[];
  /** The domain of all links; without it, each goes to the one that the file says */
  domain?: string;
  /** Absolute path; null writes no result file */
  result: string | null;
  interrupt: AbortSignal;
}

export type ImportSummary = { file: string; result: string | null } & Totals;

/** Small enough for memory and frequent progress, large enough to make round trips negligible. */
const batchSize = 500;

/**
 * Imports the rows of a file as links of an account, in atomic batches. Rejected rows go to standard error, all rows
 * to the result file. Throws if interrupted; completed batches stay.
 */
export async function importFile(core: Core, job: ImportJob): Promise<ImportSummary> {
  const { source, result, interrupt, columns, domain } = job;
  if (source && result && (await isSameFile(source, result))) {
    throw new UserError(
      "The result would overwrite the imported file: choose another location with --result",
    );
  }
  const account = await core.accounts.byEmail(job.email, job);
  const text = await readText(source, interrupt);
  const read = readFile(text, { ...(columns && { columns }), ...(domain && { domain }) });
  if ("refusal" in read) throw new UserError(`${source ?? "Standard input"}: ${read.refusal}`);
  if (read.notTaken.length > 0) process.stderr.write(printable(`Ignored: ${read.notTaken.join(", ")}\n`));
  const file = result === null ? noResultFile : await openResultFile(result, resultColumns);
  const tally = new Tally();
  const occurrences = new Occurrences();
  const format = "{bar} {percentage}% · {value} of {total} rows · {eta_formatted} left";
  const progress = startProgress(format, read.total);
  try {
    for (const rows of inBatches(read.rows(), batchSize)) {
      const results = await importRows(core, account, rows, occurrences);
      await file.write(results);
      tally.add(results);
      progress?.update(tally.total);
      interrupt.throwIfAborted();
    }
    await file.publish();
  } catch (error) {
    await file.discard();
    throw error;
  } finally {
    progress?.stop();
  }
  process.stderr.write(printable(tally.rejectedLines(result)));
  return { file: source ?? "-", result, ...tally.totals() };
}

async function importRows(
  core: Core,
  account: Account,
  rows: readonly ReadRow[],
  occurrences: Occurrences,
): Promise<ResultRow[]> {
  const valid = rows.filter(({ refusal }) => refusal === undefined);
  const imported = await core.importer.importBatch(
    account,
    valid.map(({ link, totals: { created_at, clicks } }) => ({
      fields: link,
      occurrence: occurrences.next(link),
      created_at: created_at === undefined ? undefined : new Date(created_at),
      imported_clicks: clicks,
    })),
  );
  const results = new Map(valid.map((row, at) => [row, imported[at]]));
  return rows.map((row) => toResult(row, results.get(row)));
}

function toResult({ row: line, link, refusal = "" }: ReadRow, result: ImportResult | undefined): ResultRow {
  const row: ResultRow = {
    line,
    url: link.url,
    slug: link.slug ?? "",
    status: "rejected",
    short_url: "",
    destination: "",
    reason: refusal,
  };
  if (!result) return row;
  if (result.status === "rejected") return { ...row, reason: result.reason };
  const { status, short_url, destination } = result;
  return { ...row, status, short_url, destination };
}

/** Groups items into arrays of `size`; the last one may be shorter. */
function* inBatches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
