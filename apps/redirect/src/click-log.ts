import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedirectCore, RedirectCoreOptions } from "@terse/core/redirect";
import type { Settings } from "@terse/server";

type LogSettings = Pick<
  Settings,
  "DATA_DIR" | "CLICK_LOG_FSYNC" | "CLICK_RETENTION_DAYS" | "REDIRECT_WORKERS"
>;

/** The click log of a data folder. A main process with workers redirects nothing itself: it only drains. */
export const clickLogOf = (settings: LogSettings): NonNullable<RedirectCoreOptions["clickLog"]> => ({
  folder: join(settings.DATA_DIR, "clicks"),
  fsync: settings.CLICK_LOG_FSYNC,
  retentionDays: settings.CLICK_RETENTION_DAYS ?? undefined,
  writes: settings.REDIRECT_WORKERS === 1,
});

/**
 * Counts what is in the click log and closes the core. To be called when the last answer has gone out; what
 * `patienceMs` does not suffice for, or the database is away for, is counted after the next start.
 */
export async function countAndClose(core: RedirectCore, patienceMs = 5000): Promise<void> {
  let isLate = false;
  const countAll = async () => {
    while (!isLate && (await core.clicks.drain()) > 0);
  };
  await within(
    patienceMs,
    countAll().catch(() => {}),
  );
  isLate = true;
  // A database that hangs lets nobody go either; what is in the log is safe without it.
  await within(patienceMs, core.close());
}

/** Waits for a task, but no longer than so many milliseconds. */
async function within(patienceMs: number, task: Promise<void>): Promise<void> {
  const enough = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: enough.signal }).catch(() => {});
  await Promise.race([task, late]).finally(() => enough.abort());
}
