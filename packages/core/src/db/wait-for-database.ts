import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "./driver-errors.ts";

const retryMs = 500;

/**
 * Runs what needs the database, again and again while that is away; `onAway` hears of the first time, and why.
 * @throws what waiting does not mend, such as a wrong password; the signal's reason once it is aborted
 */
export async function waitForDatabase<T>(
  task: () => Promise<T>,
  { onAway, signal }: { onAway: (reason: unknown) => void; signal: AbortSignal },
): Promise<T> {
  for (let told = false; ; await sleep(retryMs, undefined, { signal })) {
    signal.throwIfAborted();
    try {
      return await task();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!told) onAway(error);
      told = true;
    }
  }
}
