import type { Account } from "../kernel/context.ts";
import type { HistoricLink, HistoricLinkResult } from "../links/import.types.ts";

/** A visit that another service recorded. */
export interface HistoricVisit {
  link_id: string;
  /** Its place among the visits of this link at its source: a whole number from 1 that never changes and grows with time */
  position: number;
  /** Milliseconds since the epoch, from `earliestVisit` until now */
  time: number;
  /** Where the visitor was, as far as the source knows, ideally an address: distinguishes visitors, and is not stored */
  place: string;
  /** As received, "" if unknown, which counts as a bot */
  user_agent: string;
  /** As received, "" if none */
  referrer: string;
  /** ISO 3166-1 alpha-2, "" if unknown; then the country of `place`, if that is an address */
  country: string;
  /** True if the source counted it as a bot's; our own rules find others */
  is_bot: boolean;
}

/** How far the visits of a link are imported. */
export interface ImportPosition {
  /** Of the last imported visit; 0 if there is none */
  position: number;
  /** Its time in milliseconds since the epoch */
  last_at: number;
}

/** Visits of people, and of bots. */
export interface VisitTotals {
  clicks: number;
  bots: number;
}

/** Imports links of other services with the clicks counted there. */
export interface HistoryImporter {
  /**
   * Creates up to a thousand links with the checks of `links.create`, but not counted as creations. A link that the account
   * has already with the same short URL and destination stays as it is; only `imported_clicks` grows to the given number.
   */
  addLinks(account: Account, links: readonly HistoricLink[]): Promise<HistoricLinkResult[]>;
  /**
   * The answer that `addLinks` would give now. Changes nothing; notices links with the same slug within one call, not
   * across calls.
   */
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

/** Exactly one way to find links. */
export type LinkFilter =
  /** A host, which also matches those below it, in the destination or in any rule */
  | { host: string }
  /** A slug on any domain, or a short URL */
  | { slug: string }
  | { accountId: string }
  /** The newest links, in the service or by an import */
  | { newest: true };

/** A link as operators see it, whether or not it has an account. */
export interface ModeratedLink {
  id: string;
  short_url: string;
  /** Empty for a bucket's page */
  destination: string;
  title: string | null;
  click_count: number;
  is_active: 0 | 1;
  disabled_at: string | null;
  disabled_reason: string | null;
  created_at: string;
  /** The bucket that the link is a part of */
  bucket_id: string | null;
  /** Null for an anonymous link */
  /** The workspace that owns it, with the address of its owner */
  account: { id: string; email: string; suspended_at: string | null } | null;
}

/** Operators' actions on links of any account. Errors are AppErrors: 400 for a bad filter, 404 for an unknown id. */
export interface Moderation {
  /** Newest first. `more` is true if there are more than `limit` (default 100). Reads all links if the filter is a host. */
  findLinks(filter: LinkFilter, limit?: number): Promise<{ links: ModeratedLink[]; more: boolean }>;
  /** Makes a link answer 410 until it is enabled; its owner cannot change or delete it. A bucket is disabled as a whole. */
  disableLink(id: string, reason: string): Promise<ModeratedLink>;
  enableLink(id: string): Promise<ModeratedLink>;
  /** Deletes a link, or the whole bucket that it is a part of. Its slug is free at once. */
  deleteLink(id: string): Promise<void>;
}
