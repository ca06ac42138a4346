/** Defines events of a level by the text of the log line, and what an operator has to know about it, for /docs/events. */
const eventOf = (level: "info" | "warn" | "error") => (message: string, meaning: string) => ({
  level,
  message,
  meaning,
});
const info = eventOf("info");
const warn = eventOf("warn");
const error = eventOf("error");

/** Every event of the core. Codes never change, so that alerts can be built on them; texts may. */
export const coreEvents = {
  link_changes_lost: warn(
    "link changes are not being received",
    "The connection that announces changed links was lost (`reason`). Until it is back, a changed link may redirect to its old destination for up to a second; while the database is unreachable, for as long as that lasts.",
  ),
  link_changes_restored: info(
    "link changes are being received again",
    "The connection is back. Everything that was cached before it is read again.",
  ),
  database_moved: warn(
    "the database's primary is another host",
    "Of the hosts in `DATABASE_URL`, `host` takes changes now. Connections to the previous one are closed; requests that used them got 503.",
  ),
  redis_lost: warn(
    "Redis does not answer; each process applies limits on its own",
    "The connection to `REDIS_URL` was lost or cannot be opened (`reason`). Limits are counted in the memory of each process until it is back.",
  ),
  redis_restored: info("Redis answers again", "The cause of `redis_lost` is gone."),
  slow_statement: warn(
    "a statement took long",
    "The `statement` (its name, or the start of its text; never its parameters) took `ms` milliseconds, at least `LOG_SLOW_MS`. Those of the drain, whose batches are large, are not reported.",
  ),
  clock_skewed: warn(
    "the clocks of this node and of the database differ",
    "The database's clock is `ahead_ms` milliseconds ahead of this machine's (negative: behind). Expiry times and days of clicks are off by as much. From a minute on, `/readyz` says that this node should not serve.",
  ),
  clock_right: info(
    "the clocks of this node and of the database agree again",
    "The cause of `clock_skewed` is gone.",
  ),
  migrated: info(
    "a migration of the database is done",
    "After an upgrade, the migration `migration` took `after_ms` milliseconds; it is number `step` of `of`. A new database is migrated without these lines.",
  ),
  migration_waiting: warn(
    "a migration of the database waits for others",
    "`migration` has not got its locks for ten seconds or more, because requests, drains or other programs hold them (`err`). It goes on trying and holds nothing between; the service on other nodes goes on. After thirty tries it waits longer each time, and PostgreSQL may end a request or a batch of the drain, which is repeated.",
  ),
  domain_verified: info(
    "a custom domain was verified",
    "An hourly check found the DNS records of `domain`; its links are served from now on.",
  ),
  domain_failed: warn(
    "a custom domain failed verification",
    "The DNS records of `domain` have been wrong for 72 hours, or another account has verified it; its links are no longer served.",
  ),
  domain_checks_failing: error(
    "custom domains cannot be checked",
    "The hourly check of custom domains fails (`err`). It is retried about once a minute.",
  ),
  domain_checks_restored: info(
    "custom domains are being checked again",
    "The cause of `domain_checks_failing` is gone.",
  ),
  click_log_write_failing: error(
    "the click log cannot be written; clicks are counted directly, or kept in memory",
    "The disk refuses writes (`err`), often because it is full. Redirects continue. Clicks go straight to the database, or wait in memory while that is unreachable too. A process that stops writes what waits to the reserve on the disk; a killed process loses it.",
  ),
  click_log_memory_full: error(
    "the click log's memory is full; clicks are being lost",
    "The disk has refused writes for so long that the memory for waiting clicks is used up. New clicks are not counted.",
  ),
  click_log_write_restored: info(
    "the click log is being written again",
    "All clicks in memory are on the disk, or counted, after `after_ms` milliseconds; `lost` clicks did not fit.",
  ),
  click_log_closed_with_loss: error(
    "the click log was closed while the disk refused writes; clicks are lost",
    "When the process ended, `lost` clicks existed only in memory: the disk had no reserve for them, and the database did not take them.",
  ),
  click_log_segment_missing: warn(
    "a segment of the click log was deleted or truncated while in use",
    "Another program changed the click log's folder. Clicks in the removed part that were not counted yet are lost.",
  ),
  click_log_sync_failing: error(
    "the click log cannot be synced; a power cut would lose clicks",
    "The disk accepts writes but not fsync (`err`). A crash of the process alone loses nothing.",
  ),
  click_log_sync_restored: info("the click log is being synced again", "fsync works again."),
  click_log_callback_failed: error(
    "the callback of a logged click threw",
    "The click is counted, but its answer could not be sent (`err`). This is a bug; please report it.",
  ),
  click_log_damaged: warn(
    "skipped damaged bytes in the click log",
    "`bytes` bytes of `segment` could not be read. The clicks before and after them are counted.",
  ),
  click_log_tail_incomplete: warn(
    "skipped an incomplete write at the end of the click log",
    "A process ended while it wrote the last `bytes` bytes of `segment`; no visitor was answered for them.",
  ),
  click_counting_failing: error(
    "clicks cannot be counted; they are kept in the click log",
    "The database is unreachable, or a segment cannot be read or stored (`err`); other segments are still counted. Retried every second. `segments` files wait, the oldest since `oldest`.",
  ),
  click_counting_restored: info(
    "clicks are being counted again",
    "The cause of `click_counting_failing` is gone; the clicks that waited are being counted.",
  ),
  clicks_counted_again: error(
    "the database lost its last transactions; their clicks are counted again",
    "The database has older contents than before: a replica that lagged behind was promoted, or a backup was restored. What it lost of `segments` files of the click log is counted again, each click once, as far back as `CLICK_LOG_KEEP`. Links, changes and sign-ins of the same time are gone.",
  ),
  clicks_left: info(
    "clicks stay in the log for the next start",
    "The process stops, and `clicks` clicks in `bytes` bytes of the click log are not counted yet: the next start counts them. If the database does not answer, `clicks` is missing, and `bytes` is the length of the whole log. With `CLICK_STREAM_URL`, up to `not_in_stream` bytes are on this machine only.",
  ),
  restore_finished: info(
    "a restore that was interrupted is finished",
    "The command `restore` was ended after the database was restored, and before the clicks that were not counted were in the click log. They are now, in `segments` files, and are being counted.",
  ),
  click_stream_unavailable: error(
    "the click stream does not take clicks; they are kept on this disk only",
    "The server at `CLICK_STREAM_URL` is unreachable, slow or full (`err`). Redirects and counting continue; what is on the disk follows when it is back.",
  ),
  click_stream_available: info(
    "the click stream has all clicks again",
    "What was written while the stream was away has followed, `after_ms` milliseconds after it failed.",
  ),
  click_stream_not_durable: warn(
    "the click stream would not survive a crash of its server",
    "Its server keeps the stream in memory only: `reason`.",
  ),
  click_stream_drain_failing: error(
    "the click stream cannot be counted",
    "The stream or the database is unreachable (`err`). Nodes still count from their disks. Retried every second.",
  ),
  click_stream_drain_restored: info(
    "the click stream is being counted again",
    "The cause of `click_stream_drain_failing` is gone.",
  ),
  click_stream_entries_skipped: warn(
    "skipped entries of the click stream",
    "`entries` entries are damaged, of another version of Terse or of another program (`reason`). If Terse wrote them, their clicks are counted from the disk of their node. `old`: the stream has lost its end, so that all of it is read again, except what is older than a day.",
  ),
  click_stream_gap: warn(
    "the click stream lacks a part of a segment",
    "Before an entry of `segment`, `bytes` bytes are missing: the stream lost them. Its node sends the segment again, or counts it from its disk.",
  ),
  click_stream_segment_refused: error(
    "a segment in the click stream cannot be counted",
    "The database refused it several times, or this version cannot read it (`err`). Its node counts it from its disk.",
  ),
  click_lost: error(
    "a click was not counted",
    "Only in a core without a click log: storing the click failed (`err`), and it is lost.",
  ),
  raw_clicks_dropped: info(
    "dropped raw clicks past their retention",
    "The months in `dropped` are older than `CLICK_RETENTION_DAYS`. Totals are kept.",
  ),
  clickhouse_loading: info(
    "copying the raw clicks of the database to ClickHouse",
    "At the first start with `CLICKHOUSE_URL`, and after the database or ClickHouse went back in time: a restored backup, a replica that lagged. Counting goes on; until `clickhouse_loaded`, questions are answered from the database.",
  ),
  clickhouse_loaded: info(
    "ClickHouse has the raw clicks of the database",
    "What `clickhouse_loading` began took `after_ms` milliseconds.",
  ),
  clickhouse_unavailable: error(
    "clicks cannot be copied to ClickHouse; they wait in the database",
    "The server at `CLICKHOUSE_URL` or the database is unreachable, or refuses clicks (`err`). Redirects and counting go on. Filters, groups and exports are answered from the database as far back as it has raw clicks (`CLICK_RETENTION_DAYS`), and are 503 before. Retried every second; what waits is copied once.",
  ),
  clickhouse_available: info(
    "clicks are copied to ClickHouse again",
    "The cause of `clickhouse_unavailable` is gone, and ClickHouse has everything that waited.",
  ),
  clickhouse_clicks_dropped: info(
    "dropped raw clicks in ClickHouse past their retention",
    "The months in `dropped` are older than `CLICKHOUSE_RETENTION_DAYS`. Totals are kept.",
  ),
  link_reported: warn(
    "a visitor reported a short link",
    "Somebody reported `short_url` on its preview page, for the `reason` they chose. The admin command `report list` shows all open reports.",
  ),
  unused_links_deleted: info(
    "deleted anonymous links that nobody uses",
    "`links` links without an account had no click for `ANONYMOUS_LINKS_DAYS`. Their slugs are free. Looked for once a day, on each node.",
  ),
  host_list_read: info(
    "a host list was read",
    "The file `list` is new or has changed. Its `hosts` hosts are blocked; `skipped_lines` lines are in no known format.",
  ),
  host_list_failing: error(
    "a host list cannot be read",
    "The file `list` is missing, unreadable or not a host list (`err`). The `hosts` hosts of its last good version stay blocked. It is tried again every few seconds.",
  ),
  host_list_restored: info("a host list can be read again", "The cause of `host_list_failing` is gone."),
  geo_database_read: info(
    "the database of places was read",
    "The file `file` of `GEO_DB` is new or has changed. It is of the type `type`, was made on the day `built`, and takes `bytes` bytes of memory.",
  ),
  geo_database_failing: error(
    "the database of places cannot be read",
    "The file `file` of `GEO_DB` is missing, unreadable or not a database (`err`). The last good version, of the day `built`, stays in use; without one, countries come from the data that Terse includes. It is tried again every few seconds.",
  ),
  geo_database_restored: info(
    "the database of places can be read again",
    "The cause of `geo_database_failing` is gone.",
  ),
  filtering_resolver_failing: warn(
    "the filtering resolver does not answer; destinations are accepted without it",
    "`SCREEN_DNS` does not answer in time, or refuses questions. Until it answers again, only host lists block destinations.",
  ),
  filtering_resolver_restored: info(
    "the filtering resolver answers again",
    "The cause of `filtering_resolver_failing` is gone.",
  ),
  unfiltered_resolver_failing: warn(
    "the unfiltered resolver does not answer; names without a filtered address are accepted",
    "The resolvers of `DNS_SERVERS`, or the system's, do not answer in time. A name that the filtering resolver has no address of may be blocked or may not exist; until they answer, it is accepted.",
  ),
  unfiltered_resolver_restored: info(
    "the unfiltered resolver answers again",
    "The cause of `unfiltered_resolver_failing` is gone.",
  ),
  fallback_lookup_failing: warn(
    "the service that a domain was moved from does not answer",
    "`service` does not say whether it has an unknown short URL, for `reason`. Visitors of unknown short URLs of the domain get 503 for ten seconds, then it is asked again.",
  ),
  fallback_lookup_refused: warn(
    "a link of the service that a domain was moved from is not stored",
    "The account of the domain with the id `domain` has no room for another link (`reason`). Visitors of unknown short URLs get 404.",
  ),
  account_activity: info(
    "account activity",
    "Something that matters for the security of `account` happened: `action` (see /docs/activity), `by` whom, what it is `about`, from which `address` (shortened to a network) and `client`. Repeated refusals and exports are reported once an hour.",
  ),
  account_erased: info(
    "a deleted account was erased",
    "Seven days after its owner deleted it, everything of `account` was erased. Its clicks remain in the totals of `erased_days`.",
  ),
  upkeep_failing: error(
    "recurring work fails",
    "`chore` fails (`err`), often because the database is unreachable. Other chores are done; this one is tried again in about a minute.",
  ),
  upkeep_restored: info("recurring work is done again", "The cause of `upkeep_failing` for `chore` is gone."),
  webhook_switched_off: warn(
    "a webhook was switched off",
    "Deliveries to the webhook `id` of `account` failed for three days, or its `host` answered 410 (`reason`). Its owner sees it in the webhook and in the account's activity.",
  ),
  webhooks_failing: error(
    "events cannot be delivered to webhooks",
    "The database is unreachable or refuses a statement (`err`). Events are kept and delivered later; tried again every few seconds.",
  ),
  webhooks_restored: info(
    "events are being delivered to webhooks again",
    "The cause of `webhooks_failing` is gone.",
  ),
  health_checks_failing: error(
    "destinations of links cannot be checked",
    "The database is unreachable or refuses a statement (`err`). Retried about once a minute.",
  ),
  health_checks_restored: info(
    "destinations of links are being checked again",
    "The cause of `health_checks_failing` is gone.",
  ),
  job_ended: info(
    "a job ended",
    "The job `id` of `account` did `done` of `total` links in the background and is `done`, `cancelled` or `failed` (`status`); `error` is what its owner sees. `kind` is what it did.",
  ),
  job_failing: error(
    "a part of a job failed; it is tried again",
    "`err` stopped the job `id` of `account` for the `failures`th time in a row. It is tried again with growing pauses, from where it was, and ends after ten failures.",
  ),
  jobs_failing: error(
    "jobs cannot be worked on",
    "The database is unreachable or refuses a statement (`err`). Retried every five seconds.",
  ),
  jobs_restored: info(
    "jobs are being worked on again",
    "The cause of `jobs_failing` is gone; jobs go on where they were.",
  ),
  activity_not_recorded: error(
    "an account's activity could not be recorded",
    "`action` happened to `account`, but the list of its activity lacks it (`err`).",
  ),
  credential_refused: warn(
    "a credential was refused",
    "An API key, a session or a sign-in that belongs to no account was `refused`, for `reason`. At most one line a second; `count` is the number of refusals since the last line, `address` and `client` are of the latest.",
  ),
};

export type CoreEventCode = keyof typeof coreEvents;

/** A condition that began or ended without any call failing. Further fields say what it is about. */
export interface CoreEvent {
  /** Stable; see /docs/events */
  code: CoreEventCode;
  level: "info" | "warn" | "error";
  message: string;
  [detail: string]: unknown;
}

/** Makes an event of the table; `details` are its further fields. */
export const coreEvent = (code: CoreEventCode, details: object = {}): CoreEvent => {
  const { level, message } = coreEvents[code];
  return { code, level, message, ...details };
};
