import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds after which the event loop, which may have redirects to answer, gets a turn. */
const mostMs = 5;

/** Calls `work` with one element after the other; by time, since nobody knows what an element costs. */
export async function forEachYielding<T>(elements: readonly T[], work: (element: T) => void): Promise<void> {
  let since = performance.now();
  for (const element of elements) {
    work(element);
    if (performance.now() - since < mostMs) continue;
    await turn();
    since = performance.now();
  }
}
