import type { Account } from "../../kernel/context.ts";
import type { HistoricLink, HistoricLinkResult } from "../../links/import.types.ts";

/** A visit that another service recorded. */
export interface HistoricVisit {
  link_id: string;
  /** Its place among the visits of this link at its source: a whole number from 1 that never changes and grows with time */
  position: number;
  /** Milliseconds since the epoch, from `earliestVisit` until now */
  time: number;
  /** Whatever the source knows of where the visitor was, best an address: tells visitors apart, and is not stored */
  place: string;
  /** As received, "" if unknown, which counts as a bot */
  user_agent: string;
  /** As received, "" if none */
  referrer: string;
  /** ISO 3166-1 alpha-2, "" if unknown; then the country of `place`, if that is an address */
  country: string;
  /** True if the source took it for a bot's; our own rules find others */
  is_bot: boolean;
}

/** How far the visits of a link are imported. */
export interface ImportPosition {
  /** Of the last imported visit; 0 if there is none */
  position: number;
  /** Its time in milliseconds since the epoch */
  last_at: number;
}

/** Takes over links of other services with the clicks that were counted there. */
export interface HistoryImporter {
  /**
   * Creates up to a thousand links with the checks of `links.create`, but not counted as creations. A link that the account
   * has already with the same short URL and destination stays as it is; only `imported_clicks` grows to the given number.
   */
  addLinks(account: Account, links: readonly HistoricLink[]): Promise<HistoricLinkResult[]>;
  /** What `addLinks` would answer now. Changes nothing; two links of one call with the same slug are seen, of two calls not. */
  previewLinks(account: Account, links: readonly HistoricLink[]): Promise<HistoricLinkResult[]>;
  /** The positions of links of which visits were imported from `source`, such as "shlink". */
  positionsOf(source: string, linkIds: readonly string[]): Promise<Map<string, ImportPosition>>;
  /**
   * Counts visits as clicks of their own times, in one transaction with the links' new positions: after an interruption,
   * either all of them are counted or none. Each visit lies behind the `before` of its link; a link that is missing there
   * has position 0. Throws a CONFLICT if the positions in the database are others, such as those of another import that runs.
   */
  addVisits(
    account: Account,
    source: string,
    visits: readonly HistoricVisit[],
    before: ReadonlyMap<string, ImportPosition>,
  ): Promise<VisitTotals>;
}

/** Visits of people, and of bots. */
export interface VisitTotals {
  clicks: number;
  bots: number;
}
