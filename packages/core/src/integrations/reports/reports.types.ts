/** Why visitors report a link. */
export const reportReasons = ["phishing", "malware", "spam", "illegal", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Maximum length of a report's details, in UTF-16 code units. */
export const maxReportDetails = 500;

/** A visitor's report of a short link. */
export interface NewReport {
  link_id: string;
  reason: ReportReason;
  /** Free text, cut to `maxReportDetails`; control characters except line breaks are removed */
  details: string;
  /** The visitor's IP address; only its network (/24 or /48) is stored */
  address: string;
}

/** A report as operators see it, with the link as it was then. */
export interface Report {
  id: string;
  link_id: string;
  short_url: string;
  /** Cut after 2,000 characters; empty for a bucket's page */
  destination: string;
  reason: ReportReason;
  details: string | null;
  /** The network of the visitor: /24 of IPv4, /48 of IPv6 */
  network: string;
  created_at: string;
  closed_at: string | null;
  /** The account of the link; null for an anonymous one */
  account: { id: string; email: string } | null;
  /** The present state of the link */
  link: "enabled" | "disabled" | "deleted";
}

/** Accepts reports from visitors. */
export interface Reports {
  /**
   * Stores a report and emits the event `link_reported`. A network's second open report of a link, and any beyond 100 open
   * ones, are ignored. Returns the seconds to wait if the visitor has sent too many, else null.
   */
  submit(report: NewReport): Promise<number | null>;
}

/** Reports for operators. */
export interface ReportQueue {
  /** Open reports, or all of them; newest first, at most 1,000. */
  list(options?: { all?: boolean }): Promise<Report[]>;
  /** Closes one report, or all of a link; returns how many were open. */
  close(which: { id: string } | { linkId: string }): Promise<number>;
}
