import { setTimeout as sleep } from "node:timers/promises";
import type { Home } from "./home.ts";
import { findPostmaster } from "./postmaster.ts";

const intervalMs = 2_000;

/**
 * Checks until `signal` is aborted whether the home's server still runs, and calls `restart` if it does not. A failure
 * is reported once and retried. Does not keep the process alive.
 */
export async function watchPostmaster(
  home: Home,
  options: { signal: AbortSignal; restart: () => Promise<void>; onTrouble: (message: string) => void },
): Promise<void> {
  const { signal, restart, onTrouble } = options;
  let reported = "";
  for (;;) {
    await sleep(intervalMs, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      if (!(await findPostmaster(home))) await restart();
      reported = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== reported) onTrouble(`PostgreSQL exited and cannot be restarted: ${reason}`);
      reported = reason;
    }
  }
}
