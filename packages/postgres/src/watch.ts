import { setTimeout as sleep } from "node:timers/promises";
import type { Home } from "./home.ts";
import { findPostmaster } from "./postmaster.ts";

const lookMs = 2_000;

/**
 * Looks until `signal` is aborted whether the home's server still runs, and calls `restart` where it does not; failures
 * are told once, and it is tried again. Keeps no process alive.
 */
export async function watchPostmaster(
  home: Home,
  options: { signal: AbortSignal; restart: () => Promise<void>; onTrouble: (message: string) => void },
): Promise<void> {
  const { signal, restart, onTrouble } = options;
  let told = "";
  for (;;) {
    await sleep(lookMs, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      if (!(await findPostmaster(home))) await restart();
      told = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== told) onTrouble(`PostgreSQL has ended and cannot be started again: ${reason}`);
      told = reason;
    }
  }
}
