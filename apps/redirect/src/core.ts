import { join } from "node:path";
import {
  closeMs,
  createRedirectCore,
  type RedirectCore,
  type RedirectCoreOptions,
  timeLeft,
  type Tracer,
  waitAtMost,
} from "@terse/core/redirect";
import {
  coreOptionsOf,
  eventLog,
  type Logger,
  type Settings,
  type SettingsWithDatabase,
} from "@terse/server";

type LogSettings = Pick<
  Settings,
  | "DATA_DIR"
  | "CLICK_LOG_FSYNC"
  | "CLICK_LOG_KEEP"
  | "CLICK_STREAM_URL"
  | "CLICK_SHIPPING"
  | "CLICK_RETENTION_DAYS"
  | "REDIRECT_WORKERS"
>;

/** The click log in the data folder. A main process with workers serves no redirects, so it only drains the log. */
export const clickLogOf = (settings: LogSettings): NonNullable<RedirectCoreOptions["clickLog"]> => ({
  folder: join(settings.DATA_DIR, "clicks"),
  fsync: settings.CLICK_LOG_FSYNC,
  keepSeconds: settings.CLICK_LOG_KEEP,
  stream: settings.CLICK_STREAM_URL
    ? { url: settings.CLICK_STREAM_URL, shipping: settings.CLICK_SHIPPING }
    : undefined,
  retentionDays: settings.CLICK_RETENTION_DAYS ?? undefined,
  writes: settings.REDIRECT_WORKERS === 0,
  // Of 40,000 clicks, which a node gets while someone makes room.
  reserveBytes: 8 * 1024 * 1024,
});

/** Creates the core of a process that only redirects; it needs the database for links that are not cached. */
export function openCore(
  settings: SettingsWithDatabase,
  logger: Logger,
  tracer: Tracer,
): Promise<RedirectCore> {
  return createRedirectCore({
    databaseUrl: settings.DATABASE_URL,
    ...coreOptionsOf(settings),
    clickLog: clickLogOf(settings),
    onEvent: eventLog(logger),
    tracer,
  });
}

/**
 * Counts the click log and closes the core. Call it after the last response was sent; whatever it cannot count in time, or
 * without a database, is counted after the next start.
 */
export async function countAndClose(core: RedirectCore): Promise<void> {
  const left = timeLeft(closeMs);
  let isLate = false;
  const countAll = async () => {
    while (!isLate && (await core.clicks.drain()) > 0);
  };
  await waitAtMost(
    closeMs / 2,
    countAll().catch(() => {}),
  );
  isLate = true;
  await core.close(left());
}
