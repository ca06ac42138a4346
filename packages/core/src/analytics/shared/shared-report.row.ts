import { isoTime } from "../../kernel/time.ts";
import { accountRows } from "../../rpc/account-rows.ts";
import type { SharedReport } from "./shared-report.schema.ts";

/** The pool reads times as text. */
export interface SharedReportRow {
  id: string;
  name: string;
  link_id: string | null;
  tag: string | null;
  has_password: boolean;
  active: boolean;
  created_at: string;
  expires_at: string;
  last_opened_at: string | null;
}

/** SQL: the columns of a row `s` of shared_reports. */
export const sharedReportColumns = `s.id, s.name, s.link_id, (select tags.name from tags where tags.id = s.tag_id) as tag,
  s.password_hash is not null as has_password, s.active, s.created_at, s.expires_at, s.last_opened_at`;

export const sharedReports = accountRows<SharedReportRow>(
  "Shared report",
  "shared_reports s",
  sharedReportColumns,
);

export const toSharedReport = (row: SharedReportRow): SharedReport => ({
  id: row.id,
  name: row.name,
  link_id: row.link_id,
  tag: row.tag,
  has_password: row.has_password,
  active: row.active,
  created_at: isoTime(row.created_at),
  expires_at: isoTime(row.expires_at),
  last_opened_at: isoTime(row.last_opened_at),
});
