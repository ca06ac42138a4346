import type { Account } from "../kernel/context.ts";

/** One link to import; empty strings are missing fields, as in CSV. */
export interface ImportRow {
  url: string;
  slug?: string | undefined;
  title?: string | undefined;
  domain?: string | undefined;
  /** Names of tags, separated by "|"; ignored if the link exists */
  tags?: string | undefined;
  /** Number of earlier rows in the same import with the same url, slug and domain */
  occurrence: number;
}

/** The result for a row: created now, existing from an earlier run, or rejected with a reason. */
export type ImportResult =
  | { status: "created" | "exists"; id: string; short_url: string; destination: string }
  | { status: "rejected"; reason: string };

/** Creates many links at once, from a file. */
export interface Importer {
  /**
   * Imports a few hundred rows with one statement: either every valid row becomes a link, or none does. A row's id is
   * derived from the account and the row, so that an import that is repeated, also after a crash, creates nothing twice.
   */
  importBatch(account: Account, rows: readonly ImportRow[]): Promise<ImportResult[]>;
}
