import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { subjectColumns } from "../subject.ts";
import { type SharedReport, sharedReportSchema } from "./shared-report.schema.ts";

export const SharedReportEntity = defineEntity({
  name: "SharedReport",
  tableName: "shared_reports",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: p.uuid(),
    /** Who shared it: it works while they may share reports */
    created_by: p.uuid().nullable(),
    /** SHA-256 of the secret in its address */
    hash: p.blob(),
    name: p.text(),
    ...subjectColumns,
    password_hash: p.text().nullable(),
    active: p.boolean().default(true),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
    last_opened_at: p.datetime(3).nullable(),
  },
});

export const sharedReports: OwnRows<InferEntity<typeof SharedReportEntity>, SharedReport> = ownRows(
  SharedReportEntity,
  "Shared report",
  (row) => shown(sharedReportSchema, { ...row, has_password: row.password_hash != null }),
);
