import type { Report } from "../analytics.schema.ts";

/** What somebody sends who opens a shared report. */
export interface SharedReportVisit {
  /** What follows `/reports/` in the address */
  secret: string;
  period: NonNullable<Report["period"]>;
  /** An IPv4 address or IPv6 network, for limits */
  client: string;
  /** What was entered as password */
  password?: string | undefined;
  /** The token that an earlier visit got for the right password */
  unlock_token?: string | undefined;
}

/** How a shared report answers. */
export type SharedReportAnswer =
  /** There is none, or it has ended or was revoked: strangers are not told which */
  | { kind: "missing" }
  | { kind: "limited"; seconds: number }
  | { kind: "password"; wrong: boolean }
  | {
      kind: "report";
      name: string;
      expires_at: Date;
      report: Report;
      /** Whether it is about one link, so that a list of links says nothing */
      isOfOneLink: boolean;
      /** For the cookie of a reader who gave the right password */
      unlock?: { token: string; seconds: number };
    };

/** Shared reports as people without an account read them. */
export interface SharedReports {
  open(visit: SharedReportVisit): Promise<SharedReportAnswer>;
}
