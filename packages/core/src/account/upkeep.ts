import { deleteOldActivity } from "../activity/index.ts";
import { evaluateAlerts } from "../alerts/index.ts";
import { backgroundLoop } from "../concurrency/background-loop.ts";
import type { Deps } from "../deps.ts";
import { deleteOldAnswers } from "../idempotency/index.ts";
import { deleteOldJobs } from "../jobs/index.ts";
import { trimHistory } from "../links/index.ts";
import { deleteExpired } from "../oauth/index.ts";
import { coreEvent } from "../kernel/events.ts";
import { deleteOldEvents } from "../outbox/index.ts";
import type { Upkeep } from "./account.types.ts";
import { eraseDueAccounts } from "./erase.ts";

/** Milliseconds between two runs; random, so that nodes do not run at the same time */
const pauseMs = () => 60_000 * (0.5 + Math.random());

/** Implements `Upkeep`. */
export function createUpkeep(deps: Deps): Upkeep {
  async function run(): Promise<number> {
    await deleteOldActivity(deps);
    await deleteOldAnswers(deps);
    await trimHistory(deps);
    await deleteOldEvents(deps);
    await deleteOldJobs(deps);
    await deleteExpired(deps);
    await evaluateAlerts(deps);
    return eraseDueAccounts(deps);
  }

  const loop = backgroundLoop({
    async runOnce() {
      await run();
      return pauseMs();
    },
    initialDelayMs: pauseMs(),
    retryMs: pauseMs(),
    keepsProcessAlive: false,
    onFailure: (err) => deps.onEvent(coreEvent("upkeep_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("upkeep_restored")),
  });
  return { run, start: loop.start, close: loop.stop };
}
