import { setImmediate as yieldToEventLoop } from "node:timers/promises";

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
