import { setTimeout as sleep } from "node:timers/promises";

/** Resolves when the task ends, or after `ms` milliseconds; rejects if the task fails in time. */
export async function waitAtMost(ms: number, task: Promise<unknown>): Promise<void> {
  await Promise.race([task, sleep(ms, undefined, { ref: false })]);
}
