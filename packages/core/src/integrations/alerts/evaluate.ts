import type { Base } from "../../db/base.ts";
import { AppError } from "../../kernel/errors.ts";
import { inTransaction } from "../../db/connection.ts";
import { queueMail } from "../../mail/queue.ts";
import type { CallDeps } from "../../rpc/call.ts";
import { planNames } from "../../kernel/names.ts";
import { type AlertResult, type DueAlert, silenceOf, surgeOf } from "./conditions.ts";

type AlertDeps = Pick<CallDeps, "pool" | "clock" | "plans" | "shortHost" | "newId">;

/** A run ends after this many milliseconds; the next one continues. */
const maxMs = 20_000;

/**
 * Evaluates alerts that are due and writes the event of each whose condition begins to hold. Safe on several nodes at
 * once, and after a crash: one statement writes the event and marks the alert as fired.
 */
export async function evaluateAlerts(deps: AlertDeps): Promise<void> {
  const begun = performance.now();
  let failure: unknown;
  while (performance.now() - begun < maxMs) {
    const due = await takeDueAlerts(deps);
    if (due.length === 0) break;
    for (const alert of due) {
      try {
        const now = deps.clock().getTime();
        const result =
          alert.kind === "silence" ? await silenceOf(deps.pool, alert, now) : await surgeOf(deps, alert, now);
        if (result.isOn !== alert.is_on) await save(deps, alert, result);
      } catch (error) {
        // An alert without a free slot does not hold up the others: it is due again later.
        if (!(error instanceof AppError)) failure ??= error;
      }
    }
  }
  if (failure !== undefined) throw failure;
}

/** Records that a condition holds or has ended, unless another node did, or the alert has changed since. */
async function save(deps: AlertDeps, alert: DueAlert, result: AlertResult): Promise<void> {
  const { id, name, kind, link_id, tag, hours, factor, account_id } = alert;
  const { isOn, clicks, usual, window } = result;
  const at = deps.clock();
  const event = {
    id,
    name,
    kind,
    link_id,
    tag,
    hours,
    factor,
    fired_at: at.toISOString(),
    clicks,
    usual,
    window: { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() },
  };
  await inTransaction(deps.pool, async (database) => {
    const { rowCount } = await database.query({
      name: "note-alert",
      text: `with changed as (
             update alerts set is_on = $2, fired_at = case when $2 then $3 else fired_at end
             where id = $1 and is_on <> $2 and active and hours is not distinct from $4 and factor is not distinct from $5
             returning account_id
           )
           select record_webhook_event(account_id, 'alert.fired', $6) from changed where $2`,
      values: [id, isOn, at, hours, factor, JSON.stringify(event)],
    });
    if (rowCount !== 1) return;
    const path = `${link_id === null ? "/analytics" : `/links/${link_id}`}?workspace=${account_id}`;
    const data = { name, kind, clicks, usual, hours: hours ?? 1, path };
    await queueMail(
      database,
      deps,
      { workspace: account_id, permission: "webhooks" },
      { kind: "alert_fired", data },
    );
  });
}

/** Minutes between two evaluations. A surge of a tag is counted from raw clicks, which costs more. */
const minutes = 5;
const minutesForTagSurge = 15;
const batchSize = 50;

/** Leases due alerts; no other node gets them until they are due again. */
async function takeDueAlerts({
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
           from taken a join workspaces u on u.id = a.account_id left join tags t on t.id = a.tag_id
           where u.suspended_at is null and u.deletes_at is null and u.plan = any ($2)`,
    values: [clock(), planNames.filter((plan) => plans[plan].features.webhooks)],
  });
  return rows;
}
