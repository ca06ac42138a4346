import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Core, CoreEvent, CoreOptions } from "@terse/core";
import type { Logger, Settings } from "@terse/server";

type LogSettings = Pick<
  Settings,
  "DATA_DIR" | "CLICK_LOG_FSYNC" | "CLICK_RETENTION_DAYS" | "REDIRECT_WORKERS"
>;

/** The click log of a data folder. A main process with workers redirects nothing itself: it only drains. */
export const clickLogOf = (settings: LogSettings): NonNullable<CoreOptions["clickLog"]> => ({
  folder: join(settings.DATA_DIR, "clicks"),
  fsync: settings.CLICK_LOG_FSYNC,
  retentionDays: settings.CLICK_RETENTION_DAYS ?? undefined,
  writes: settings.REDIRECT_WORKERS === 1,
});

/** Puts the core's events into the log. */
export const eventLog =
  (logger: Logger) =>
  ({ level, message, ...details }: CoreEvent): void =>
    logger[level](details, message);

/**
 * Counts what is in the click log and closes the core. To be called when the last answer has gone out; what
 * `patienceMs` does not suffice for, or the database is away for, is counted after the next start.
 */
export async function countAndClose(core: Core, patienceMs = 5000): Promise<void> {
  const late = new AbortController();
  const counted = (async () => {
    while (!late.signal.aborted && (await core.clicks.drain()) > 0);
  })().catch(() => {});
  await Promise.race([counted, sleep(patienceMs, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  await core.close();
}
