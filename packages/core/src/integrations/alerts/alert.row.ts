import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { subjectColumns } from "../../analytics/subject.ts";
import { type Alert, type AlertKind, alertSchema } from "./alert.schema.ts";

export const AlertEntity = defineEntity({
  name: "Alert",
  tableName: "alerts",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: p.uuid(),
    name: p.text(),
    kind: p.text().$type<AlertKind>(),
    ...subjectColumns,
    hours: p.integer().nullable(),
    factor: p.double().$type<number>().nullable(),
    active: p.boolean(),
    fired_at: p.datetime(3).nullable(),
    /** Whether it fired and its condition still holds */
    is_on: p.boolean().default(false),
    /** When it is evaluated next */
    next_at: p.datetime(3),
    created_at: p.datetime(3),
  },
});

export const alerts: OwnRows<InferEntity<typeof AlertEntity>, Alert> = ownRows(AlertEntity, "Alert", (row) =>
  shown(alertSchema, row),
);
