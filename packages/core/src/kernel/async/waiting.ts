import { setTimeout as sleep, setImmediate as yieldToEventLoop } from "node:timers/promises";

/** How long closing a core may take by default: less than a node gets to stop, see `TimeoutStopSec` and the like in deploy/ */
export const closeMs = 10_000;

/** Starts a period of `ms` milliseconds, and returns the function that reads how much of it is left. */
export function timeLeft(ms: number): () => number {
  const end = performance.now() + ms;
  return () => Math.max(0, end - performance.now());
}

/** Resolves when the task ends, or after `ms` milliseconds; rejects if the task fails in time. */
export async function waitAtMost(ms: number, task: Promise<unknown>): Promise<void> {
  await Promise.race([task, sleep(ms, undefined, { ref: false })]);
}

/**
 * Does work of this process while it waits for an answer, such as a database's, which it returns. If the work throws, the answer is
 * awaited before the error is thrown: its connection is free then.
 */
export async function overlap<T>(answer: Promise<T>, work: () => void): Promise<T> {
  try {
    work();
  } catch (error) {
    await Promise.allSettled([answer]);
    throw error;
  }
  return answer;
}

/** Milliseconds of work after which the event loop may handle other events, such as redirects */
const maxMs = 5;

/** Calls `work` for each element. It yields by elapsed time, because elements differ in cost. */
export async function forEachYielding<T>(elements: Iterable<T>, work: (element: T) => void): Promise<void> {
  let since = performance.now();
  for (const element of elements) {
    work(element);
    if (performance.now() - since < maxMs) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
}
