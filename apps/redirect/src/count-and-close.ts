import { setTimeout as sleep } from "node:timers/promises";
import type { RedirectCore } from "@terse/core/redirect";

const patienceMs = 5000;

/**
 * Counts what is in the click log and closes the core. To be called when the last answer has gone out; what
 * there is no time for, or no database, is counted after the next start.
 */
export async function countAndClose(core: RedirectCore): Promise<void> {
  let isLate = false;
  const countAll = async () => {
    while (!isLate && (await core.clicks.drain()) > 0);
  };
  await within(countAll().catch(() => {}));
  isLate = true;
  // A database that hangs lets nobody go either; what is in the log is safe without it.
  await within(core.close());
}

/** Waits for a task, but no longer than `patienceMs`. */
async function within(task: Promise<void>): Promise<void> {
  const enough = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: enough.signal }).catch(() => {});
  await Promise.race([task, late]).finally(() => enough.abort());
}
