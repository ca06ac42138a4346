import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Lets one task begin in each iteration of the event loop, at once if none has begun in this one. Without it, all
 * requests that arrived together would be answered before a redirect that arrived with them is.
 */
export function createTurns(): (task: () => void) => void {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function next(): void {
    const task = waiting.shift();
    isTaken = task !== undefined;
    if (!task) return;
    setImmediate(next);
    task();
  }

  return (task) => {
    if (isTaken) {
      // Another request's turn would otherwise begin it within that request's trace.
      waiting.push(AsyncLocalStorage.bind(task));
      return;
    }
    isTaken = true;
    setImmediate(next);
    task();
  };
}
