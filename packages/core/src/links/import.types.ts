import type { Account } from "../kernel/context.ts";

/** One link to import; empty strings stand for fields left out, as they do in CSV. */
export interface ImportRow {
  url: string;
  slug?: string | undefined;
  title?: string | undefined;
  domain?: string | undefined;
  /** How many rows with the same url, slug and domain stood before this one in the same import */
  occurrence: number;
}

/** What became of a row: made now, already there from an earlier run, or refused with a reason. */
export type ImportResult =
  | { status: "created" | "exists"; id: string; short_url: string; destination: string }
  | { status: "rejected"; reason: string };

/** Many links at once, made from a file. */
export interface Importer {
  /**
   * Imports some hundred rows with one statement: all that can be links become links, or none. A row's id follows from
   * the account and the row, so that an import that is run again, or after a crash, creates nothing twice.
   */
  importBatch(account: Account, rows: readonly ImportRow[]): Promise<ImportResult[]>;
}
