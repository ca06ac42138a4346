import type { Account } from "../kernel/context.ts";

/** A link of another service. */
export interface HistoricLink {
  /** The fields of `links.create` */
  fields: object;
  /** When the other service created it; default: now */
  created_at?: Date | undefined;
  /** Clicks counted by the other service as a total only; default 0 */
  imported_clicks?: number | undefined;
}

/**
 * The outcome: created now, already there with the same short URL and destination, or refused for a reason that names
 * the field. Without an import, "possible" instead of created.
 */
export type HistoricLinkResult =
  | { status: "possible" }
  | { status: "created" | "exists"; id: string; short_url: string; destination: string }
  | { status: "refused"; reason: string };

export interface ImportRow extends HistoricLink {
  /** Number of earlier rows in the same import with the same url, slug and domain */
  occurrence: number;
}

/** The result for a row: created now, existing with the same fields, or rejected with a reason. */
export type ImportResult =
  | { status: "created" | "exists"; id: string; short_url: string; destination: string }
  | { status: "rejected"; reason: string };

/** Creates many links at once, from a file. */
export interface Importer {
  /**
   * Imports up to a thousand rows in one transaction, with the checks of `links.create`, but not counted as creations: either
   * every valid row becomes a link, or none does. A row's id is derived from the account and the row, so that an import that is
   * repeated, also after a crash, creates nothing twice.
   */
  importBatch(account: Account, rows: readonly ImportRow[]): Promise<ImportResult[]>;
}
