import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { shown } from "../../kernel/validation/strings.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { type ActivityEntry, type Action, activitySchema, type ActorKind } from "./activity.schema.ts";

export const ActivityEntity = defineEntity({
  name: "Activity",
  tableName: "activity",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: p.uuid(),
    at: p.datetime(3),
    action: p.text().$type<Action>(),
    count: p.integer(),
    by_kind: p.text().$type<ActorKind>(),
    by_id: p.uuid().nullable(),
    about: p.text().nullable(),
    network: p.text().nullable(),
    client: p.text().nullable(),
  },
});

export const activities: OwnRows<InferEntity<typeof ActivityEntity>, ActivityEntry> = ownRows(
  ActivityEntity,
  "Activity",
  (row) => shown(activitySchema, { ...row, by: { kind: row.by_kind, id: row.by_id ?? null } }),
);
