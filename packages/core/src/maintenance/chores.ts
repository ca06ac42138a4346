import type { AnalyticsDeps } from "../analytics/call.ts";
import { trimActivity } from "../accounts/activity/chain.ts";
import { deleteExpired } from "../accounts/oauth/connection.row.ts";
import { deleteOld } from "../db/batches.ts";
import { trimHistory } from "../history/trim.ts";
import { evaluateAlerts } from "../integrations/alerts/evaluate.ts";
import { sendReports } from "../integrations/mail-reports/send.ts";
import { backgroundLoop, type BackgroundLoop } from "../kernel/async/background-loop.ts";
import { type ChoreDeps, ChoreFailures } from "../kernel/async/chore-failures.ts";
import { refusalDays } from "../mail/deliver.ts";
import { keptDays } from "../outbox/event-types.ts";
import { keptHours } from "../rpc/idempotency/answers.ts";
import type { Chores } from "./maintenance.types.ts";
import { eraseDueAccounts } from "./account/erase.ts";

/** Recurring work by its name in the log and in metrics. */
type ChoreTable = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Implements `Chores`: all recurring work, except what a process that counts clicks does between two batches
 * (`clicks/drain/cleanup`).
 */
export function createChores(deps: AnalyticsDeps): Chores {
  const old = (table: string, column: string, age: string, more: { key?: string; size?: number } = {}) =>
    deleteOld(deps, { table, column, age, ...more });
  const chores: ChoreTable = {
    // Not cleanup, since their owners wait for them; they only share the loop and its reports.
    alerts: () => evaluateAlerts(deps),
    "reports by mail": () => sendReports(deps),
    "old activity": () => trimActivity(deps),
    "saved responses": () =>
      old("idempotent_answers", "created_at", `${keptHours} hours`, { key: "account_id, key" }),
    "history of links": () => trimHistory(deps),
    "webhook events": async () => {
      for (const table of ["webhook_events", "webhook_clicks", "webhook_deliveries"])
        await old(table, "at", `${keptDays} days`);
    },
    // With their results, which may be large.
    "old jobs": () => old("jobs", "ended_at", "7 days", { size: 100 }),
    "old reports": () => old("reports", "created_at", "180 days"),
    // Those that were refused stay as long as the refusal counts.
    "old mails": async () => {
      await old("mails", "created_at", "30 days");
      await old("email_sign_ins", "created_at", "1 day");
      await old("mail_refusals", "at", `${refusalDays} days`, { key: "address" });
    },
    // Longer than any report may be late.
    "old periods of reports": () =>
      old("report_periods", "at", "90 days", { key: "account_id, frequency, first_day" }),
    "expired grants": () => deleteExpired(deps),
  };
  const erase = () => eraseDueAccounts(deps);
  const loops = choreLoops(deps, { ...chores, "erasure of accounts": erase }, 60_000);

  return {
    async run() {
      const failures: unknown[] = [];
      for (const work of Object.values(chores)) await work().catch((error: unknown) => failures.push(error));
      const erased = await erase();
      if (failures.length > 0) throw failures[0];
      return erased;
    },
    start: loops.start,
    close: loops.stop,
  };
}

/**
 * Runs each chore in its own loop, about every `pauseMs` milliseconds, so that one that fails or takes long delays no other.
 */
export function choreLoops(
  deps: ChoreDeps,
  chores: ChoreTable,
  pauseMs: number,
): Pick<BackgroundLoop, "start" | "stop"> {
  // Random, so that nodes do not do the same at the same time
  const pause = () => pauseMs * (0.5 + Math.random());
  const loops = Object.entries(chores).map(([name, work]) => {
    const failures = new ChoreFailures(deps, name);
    return backgroundLoop({
      async runOnce() {
        await work().then(
          () => failures.end(),
          (error: unknown) => failures.report(error),
        );
        return pause();
      },
      initialDelayMs: pause(),
      retryMs: pauseMs,
    });
  });
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}
