import { join } from "node:path";
import type { RedirectCoreOptions } from "@terse/core/redirect";
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
