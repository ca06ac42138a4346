import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "./errors.ts";

const retryMs = 500;

/**
 * Retries while the database is unreachable. Calls `onAway` once, with the first error.
 * @throws other errors, such as a wrong password, and the reason of an aborted signal
 */
export async function waitForDatabase<T>(
  task: () => Promise<T>,
  { onAway, signal }: { onAway: (reason: unknown) => void; signal: AbortSignal },
): Promise<T> {
  for (let reported = false; ; await sleep(retryMs, undefined, { signal })) {
    signal.throwIfAborted();
    try {
      return await task();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!reported) onAway(error);
      reported = true;
    }
  }
}
