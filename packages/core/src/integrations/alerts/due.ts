import type { Base } from "../../db/base.ts";
import { planNames } from "../../kernel/names.ts";
import type { AlertKind } from "./alert.schema.ts";

/** An alert that is to be evaluated. */
export interface DueAlert {
  id: string;
  name: string;
  account_id: string;
  kind: AlertKind;
  link_id: string | null;
  tag_id: string | null;
  tag: string | null;
  tag_key: string | null;
  hours: number | null;
  factor: number | null;
  is_on: boolean;
  /** Milliseconds since the epoch */
  created_ms: number;
}

/** Minutes between two evaluations. A surge of a tag is counted from raw clicks, which costs more. */
const minutes = 5;
const minutesForTagSurge = 15;
const batchSize = 50;

/** Takes alerts that are due; no other node gets them until they are due again. */
export async function takeDueAlerts({
  pool,
  clock,
  plans,
}: Pick<Base, "pool" | "clock" | "plans">): Promise<DueAlert[]> {
  const { rows } = await pool.query<DueAlert>({
    name: "take-due-alerts",
    text: `with due as (
             select id from alerts where active and next_at <= $1 order by next_at limit ${batchSize} for update skip locked
           ), taken as (
             update alerts a set next_at = $1::timestamptz + interval '1 minute' *
               case when a.kind = 'surge' and a.tag_id is not null then ${minutesForTagSurge} else ${minutes} end
             from due where a.id = due.id returning a.*
           )
           select a.id, a.name, a.account_id, a.kind, a.link_id, a.tag_id, t.name as tag, t.key as tag_key, a.hours, a.factor, a.is_on,
             (extract(epoch from a.created_at) * 1000)::float8 as created_ms
           from taken a join users u on u.id = a.account_id left join tags t on t.id = a.tag_id
           where u.suspended_at is null and u.deletes_at is null and u.plan = any ($2)`,
    values: [clock(), planNames.filter((plan) => plans[plan].features.webhooks)],
  });
  return rows;
}
