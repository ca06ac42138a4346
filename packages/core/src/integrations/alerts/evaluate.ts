import type { AnalyticsDeps } from "../../analytics/call.ts";
import { AppError } from "../../kernel/errors.ts";
import { type DueAlert, takeDueAlerts } from "./due.ts";
import type { Finding } from "./finding.ts";
import { silenceOf } from "./silence.ts";
import { surgeOf } from "./surge.ts";

/** A run ends after this many milliseconds; the next one goes on. */
const maxMs = 20_000;

/**
 * Evaluates alerts that are due and writes the event of each whose condition begins to hold. Safe on several nodes at once, and
 * after a crash: the event is written in the statement that notes that it fired.
 */
export async function evaluateAlerts(deps: AnalyticsDeps): Promise<void> {
  const begun = performance.now();
  let failure: unknown;
  while (performance.now() - begun < maxMs) {
    const due = await takeDueAlerts(deps);
    if (due.length === 0) break;
    for (const alert of due) {
      try {
        const now = deps.clock().getTime();
        const finding =
          alert.kind === "silence" ? await silenceOf(deps.pool, alert, now) : await surgeOf(deps, alert, now);
        if (finding.isOn !== alert.is_on) await note(deps, alert, finding);
      } catch (error) {
        // One for which there is no slot keeps no other waiting, and is due again.
        if (!(error instanceof AppError)) failure ??= error;
      }
    }
  }
  if (failure !== undefined) throw failure;
}

/** Notes that a condition holds or has ended, unless another node has, or the alert was changed meanwhile. */
async function note({ pool, clock }: AnalyticsDeps, alert: DueAlert, finding: Finding): Promise<void> {
  const { id, name, kind, link_id, tag, hours, factor } = alert;
  const { isOn, clicks, usual, window } = finding;
  const at = clock();
  const told = {
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
  await pool.query({
    name: "note-alert",
    text: `with changed as (
             update alerts set is_on = $2, fired_at = case when $2 then $3 else fired_at end
             where id = $1 and is_on <> $2 and active and hours is not distinct from $4 and factor is not distinct from $5
             returning account_id
           )
           select record_webhook_event(account_id, 'alert.fired', $6) from changed where $2`,
    values: [id, isOn, at, hours, factor, JSON.stringify(told)],
  });
}
