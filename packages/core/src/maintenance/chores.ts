import type { AnalyticsDeps } from "../analytics/call.ts";
import { deleteExpired } from "../accounts/oauth/connection.row.ts";
import { deleteOld } from "../db/batches.ts";
import { trimHistory } from "../history/trim.ts";
import { evaluateAlerts } from "../integrations/alerts/evaluate.ts";
import { backgroundLoop, type BackgroundLoop } from "../kernel/async/background-loop.ts";
import { type ChoreDeps, ChoreFailures } from "../kernel/async/chore-failures.ts";
import { keptDays } from "../outbox/event-types.ts";
import { keptHours } from "../rpc/idempotency/answers.ts";
import type { Upkeep } from "./maintenance.types.ts";
import { eraseDueAccounts } from "./account/erase.ts";

/** Recurring work. */
export interface Chore {
  /** In the log and in metrics */
  name: string;
  /** Milliseconds between two runs, about */
  pauseMs: number;
  work(): Promise<unknown>;
}

const minute = 60_000;

/**
 * Implements `Upkeep`. This is all recurring work, except for what a process that counts clicks does between two batches
 * (`clicks/drain/cleanup`).
 */
export function createUpkeep(deps: AnalyticsDeps): Upkeep {
  const old = (table: string, column: string, age: string, more: { key?: string; size?: number } = {}) =>
    deleteOld(deps, { table, column, age, ...more });
  const oldEvents = async () => {
    for (const table of ["webhook_events", "webhook_clicks", "webhook_deliveries"])
      await old(table, "at", `${keptDays} days`);
  };
  const oldAnswers = () =>
    old("idempotent_answers", "created_at", `${keptHours} hours`, { key: "account_id, key" });

  const chores: readonly Chore[] = [
    { name: "old activity", pauseMs: minute, work: () => old("activity", "at", "365 days") },
    { name: "saved responses", pauseMs: minute, work: oldAnswers },
    { name: "history of links", pauseMs: minute, work: () => trimHistory(deps) },
    { name: "webhook events", pauseMs: minute, work: oldEvents },
    // With their results, which may be large.
    { name: "old jobs", pauseMs: minute, work: () => old("jobs", "ended_at", "7 days", { size: 100 }) },
    { name: "old reports", pauseMs: minute, work: () => old("reports", "created_at", "180 days") },
    { name: "expired grants", pauseMs: minute, work: () => deleteExpired(deps) },
  ];
  const erasure = { name: "erasure of accounts", pauseMs: minute, work: () => eraseDueAccounts(deps) };
  // No chore: their owners wait for them. They only share the loop and its reports.
  const alerts = { name: "alerts", pauseMs: minute, work: () => evaluateAlerts(deps) };
  const loops = choreLoops(deps, [...chores, erasure, alerts]);

  return {
    async run() {
      const failures: unknown[] = [];
      for (const { work } of [alerts, ...chores])
        await work().catch((error: unknown) => failures.push(error));
      const erased = await erasure.work();
      if (failures.length > 0) throw failures[0];
      return erased;
    },
    start: loops.start,
    close: loops.stop,
  };
}

/** Does each chore in a loop of its own, so that one that fails or takes long keeps no other waiting. */
export function choreLoops(
  deps: ChoreDeps,
  chores: readonly Chore[],
): Pick<BackgroundLoop, "start" | "stop"> {
  const loops = chores.map(({ name, pauseMs, work }) => {
    const failures = new ChoreFailures(deps, name);
    // Random, so that nodes do not do the same at the same time
    const pause = () => pauseMs * (0.5 + Math.random());
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
      keepsProcessAlive: false,
      onFailure: () => {},
    });
  });
  return {
    start: () => loops.forEach((loop) => loop.start()),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}
