import type { Account, Core, ImportResult } from "@terse/core";
import { UserError } from "@terse/server";
import { inBatches } from "./batches.ts";
import type { Line } from "./line.ts";
import { Occurrences } from "./occurrences.ts";
import { startProgress } from "./progress.ts";
import { readLines } from "./read-lines.ts";
import { noResultFile, openResultFile, type ResultRow } from "./result-file.ts";
import { isSameFile, openSource } from "./source.ts";
import { Tally, type Totals } from "./tally.ts";

export interface ImportJob {
  email: string;
  /** Absolute path; null is standard input */
  source: string | null;
  /** Absolute path; null writes no result file */
  result: string | null;
  interrupt: AbortSignal;
}

export type ImportSummary = { file: string; result: string | null } & Totals;

/** Few enough to show progress and to be held, many enough that the round trip does not count. */
const batchSize = 500;

/**
 * Imports the lines of a file as links of an account, batch by batch: each is made as a whole or not at all. Rejected
 * lines go to standard error, everything to the result file. Throws when interrupted; batches made stay.
 */
export async function importFile(core: Core, job: ImportJob): Promise<ImportSummary> {
  const { source, result, interrupt } = job;
  if (source && result && (await isSameFile(source, result))) {
    throw new UserError(
      "The result would replace the file that is imported: choose another place with --result",
    );
  }
  const account = await core.accounts.byEmail(job.email);
  const { bytes, size, position } = await openSource(source, interrupt);
  const file = result === null ? noResultFile : await openResultFile(result);
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
  process.stderr.write(tally.complaints(result));
  return { file: source ?? "-", result, ...tally.totals() };
}

async function importLines(
  core: Core,
  account: Account,
  lines: readonly Line[],
  occurrences: Occurrences,
): Promise<ResultRow[]> {
  const sound = lines.filter(({ fault }) => fault === undefined);
  const made = await core.importer.importBatch(
    account,
    sound.map((line) => ({ ...line, occurrence: occurrences.next(line) })),
  );
  const results = new Map(sound.map((line, at) => [line, made[at]]));
  return lines.map((line) => toRow(line, results.get(line)));
}

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
