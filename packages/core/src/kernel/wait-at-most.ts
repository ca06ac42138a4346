import { setTimeout as sleep } from "node:timers/promises";

/** How long closing a core may take by default: less than a node gets to stop, see `TimeoutStopSec` and the like in deploy/ */
export const closeMs = 10_000;

/** Starts a period of `ms` milliseconds, and returns the function that says how much of it is left. */
export function timeLeft(ms: number): () => number {
  const end = performance.now() + ms;
  return () => Math.max(0, end - performance.now());
}

/** Resolves when the task ends, or after `ms` milliseconds; rejects if the task fails in time. */
export async function waitAtMost(ms: number, task: Promise<unknown>): Promise<void> {
  await Promise.race([task, sleep(ms, undefined, { ref: false })]);
}
