import type { Logger } from "pino";

interface EventDefinition {
  level: "info" | "warn" | "error";
  /** The text of the log line */
  message: string;
  /** What an operator needs to know about it, for /docs/events */
  meaning: string;
}

/** Events of the processes themselves; those of the core are in its own table. */
export const processEvents = {
  started: {
    level: "info",
    message: "the service has started",
    meaning: "This process answers requests, with `version`, on `runtime` and `listening`.",
  },
  banner: {
    level: "info",
    message: "Terse is running",
    meaning:
      "What the banner shows on a terminal: `console`, `api`, `short_links`, `database`, `sign_in`, `key_file` and more. Logged again with `sign_in` when the database becomes available later. Never sent to a collector.",
  },
  stopping: {
    level: "info",
    message: "the service is stopping",
    meaning:
      "`/readyz` answers 503. After a SIGTERM, requests are accepted for another `drain_seconds` (`DRAIN_DELAY`).",
  },
  stopped: {
    level: "info",
    message: "the service has stopped",
    meaning: "All requests are answered; the process ends.",
  },
  database_waiting: {
    level: "warn",
    message: "waiting for the database",
    meaning: "The start waits until the database is usable. `found` says what is wrong.",
  },
  database_available: {
    level: "info",
    message: "the database is available",
    meaning: "The cause of `database_waiting` is gone.",
  },
  telemetry_failing: {
    level: "warn",
    message: "traces or logs cannot be sent to the collector",
    meaning:
      "The collector of `OTEL_EXPORTER_OTLP_ENDPOINT` does not accept them (`reason`). They are dropped and delay nothing. Logged at most once an hour.",
  },
  requests_not_logged: {
    level: "warn",
    message: "requests were left out of the log",
    meaning:
      "Within one second, a client had more than 5 refusals or 50 other requests, or this process had 500 lines. `requests` counts those left out, `statuses` by status; most came from `address`.",
  },
  process_stalled: {
    level: "warn",
    message: "this process was blocked",
    meaning:
      "It did nothing for `ms` milliseconds: its machine or container was paused or had no CPU time, or one task took that long. Requests waited, and connections and leases may have expired.",
  },
  redirect_worker_replaced: {
    level: "error",
    message: "a redirect worker exited and is being replaced",
    meaning: "The process `worker` ended (`reason`). Its logged clicks are counted.",
  },
} as const satisfies Record<string, EventDefinition>;

/** Logs an event of the table; `details` are its further fields. */
export function logEvent(
  logger: Pick<Logger, "info" | "warn" | "error">,
  code: keyof typeof processEvents,
  details: object = {},
): void {
  const { level, message } = processEvents[code];
  logger[level]({ code, ...details }, message);
}
