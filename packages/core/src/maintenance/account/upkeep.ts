import type { AnalyticsDeps } from "../../analytics/call.ts";
import { deleteOldActivity } from "../../accounts/activity/retention.ts";
import { evaluateAlerts } from "../../integrations/alerts/evaluate.ts";
import { type Chore, choreLoops } from "../../kernel/async/chores.ts";
import { deleteOldAnswers } from "../../rpc/idempotency/answers.ts";
import { deleteOldJobs } from "../../rpc/jobs/retention.ts";
import { trimHistory } from "../../history/trim.ts";
import { deleteExpired } from "../../accounts/oauth/delete-expired.ts";
import { deleteOldEvents } from "../../outbox/retention.ts";
import type { Upkeep } from "./account.types.ts";
import { eraseDueAccounts } from "./erase.ts";

const minute = 60_000;

/** Implements `Upkeep`. */
export function createUpkeep(deps: AnalyticsDeps): Upkeep {
  const erasure = { name: "erasure of accounts", pauseMs: minute, work: () => eraseDueAccounts(deps) };
  const chores: readonly Chore[] = [
    { name: "old activity", pauseMs: minute, work: () => deleteOldActivity(deps) },
    { name: "saved responses", pauseMs: minute, work: () => deleteOldAnswers(deps) },
    { name: "history of links", pauseMs: minute, work: () => trimHistory(deps) },
    { name: "webhook events", pauseMs: minute, work: () => deleteOldEvents(deps) },
    { name: "old jobs", pauseMs: minute, work: () => deleteOldJobs(deps) },
    { name: "expired grants", pauseMs: minute, work: () => deleteExpired(deps) },
    { name: "alerts", pauseMs: minute, work: () => evaluateAlerts(deps) },
  ];
  const loops = choreLoops(deps, [...chores, erasure]);

  return {
    async run() {
      const failures: unknown[] = [];
      for (const { work } of chores) await work().catch((error: unknown) => failures.push(error));
      const erased = await erasure.work();
      if (failures.length > 0) throw failures[0];
      return erased;
    },
    start: loops.start,
    close: loops.stop,
  };
}
