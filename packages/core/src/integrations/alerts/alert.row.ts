import { isoTime } from "../../kernel/time.ts";
import { accountRows } from "../../rpc/account-rows.ts";
import type { Alert, AlertKind } from "./alert.schema.ts";

/** The pool reads times as text. */
export interface AlertRow {
  id: string;
  name: string;
  kind: AlertKind;
  link_id: string | null;
  tag: string | null;
  hours: number | null;
  factor: number | null;
  active: boolean;
  fired_at: string | null;
  created_at: string;
}

/** SQL: the columns of a row `a` of alerts. */
export const alertColumns = `a.id, a.name, a.kind, a.link_id, (select tags.name from tags where tags.id = a.tag_id) as tag,
  a.hours, a.factor, a.active, a.fired_at, a.created_at`;

export const alerts = accountRows<AlertRow>("Alert", "alerts a", alertColumns);

export const toAlert = (row: AlertRow): Alert => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  link_id: row.link_id,
  tag: row.tag,
  hours: row.hours,
  factor: row.factor,
  active: row.active,
  fired_at: isoTime(row.fired_at),
  created_at: isoTime(row.created_at),
});
