/**
 * Defines events of a level by the text of the log line, and what an operator needs to know about it, for
 * /docs/events.
 */
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
    "The connection that announces changed links was lost (`reason`). Until it is back, a changed link may redirect to its old destination for up to a second, or for as long as the database is unreachable.",
  ),
  link_changes_restored: info(
    "link changes are being received again",
    "The connection is back. Everything cached before is read again.",
  ),
  database_moved: warn(
    "the database's primary is another host",
    "`host` is now the primary among the hosts in `DATABASE_URL`. Connections to the previous one are closed; requests that used them got 503.",
  ),
  redis_lost: warn(
    "Redis does not answer; each process applies limits on its own",
    "The connection to `REDIS_URL` was lost or cannot be opened (`reason`). Limits are counted in the memory of each process until it is back.",
  ),
  redis_restored: info("Redis answers again", "The cause of `redis_lost` is gone."),
  slow_statement: warn(
    "slow SQL statement",
    "The `statement` (its name, or the start of its text; never its parameters) took `ms` milliseconds, at least `LOG_SLOW_MS`. Statements of the drain, whose batches are large, are not reported.",
  ),
  clock_skewed: warn(
    "the clocks of this node and of the database differ",
    "The database's clock is `ahead_ms` milliseconds ahead of this machine's (negative: behind). Expiry times and the days of clicks are off by as much. Beyond a minute, `/readyz` reports this node as not ready.",
  ),
  clock_right: info(
    "the clocks of this node and of the database agree again",
    "The cause of `clock_skewed` is gone.",
  ),
  migrated: info(
    "a database migration is complete",
    "After an upgrade, migration `migration` (number `step` of `of`) took `after_ms` milliseconds. A new database is migrated without these lines.",
  ),
  migration_waiting: warn(
    "a database migration is waiting for locks",
    "`migration` has waited for ten seconds or more for locks held by requests, drains or other programs (`err`). It keeps trying and holds nothing between tries; other nodes keep serving. After thirty tries it waits longer each time, and PostgreSQL may cancel a request or a batch of the drain, which is then repeated.",
  ),
  domain_verified: info(
    "a custom domain was verified",
    "An hourly check found the DNS records of `domain`; its links are now served.",
  ),
  domain_failed: warn(
    "a custom domain failed verification",
    "The DNS records of `domain` have been wrong for 72 hours, or another account has verified it; its links are no longer served.",
  ),
  mails_failing: error(
    "mails cannot be sent",
    "The server in `SMTP_URL` cannot be reached or used (`err`), such as with a wrong password. Mails wait, are tried again less and less often, and expire: codes after ten minutes, notices after a day.",
  ),
  mails_restored: info("mails are being sent again", "The cause of `mails_failing` is gone."),
  mail_refused: warn(
    "a mail was refused",
    "The mail server refused a mail (`kind`) for good (`problem`). Addresses that it does not know get no more notices for 30 days.",
  ),
  domain_checks_failing: error(
    "custom domains cannot be checked",
    "The hourly check of custom domains fails (`err`). Retried about once a minute.",
  ),
  domain_checks_restored: info(
    "custom domains are being checked again",
    "The cause of `domain_checks_failing` is gone.",
  ),
  click_log_write_failing: error(
    "the click log cannot be written; clicks are counted directly, or kept in memory",
    "The disk refuses writes (`err`), often because it is full. Redirects continue. Clicks go straight to the database, or wait in memory while that is unreachable too. A process that is stopped writes waiting clicks to the reserve on the disk; a killed process loses them.",
  ),
  click_log_memory_full: error(
    "the click log's memory is full; clicks are being lost",
    "The disk has refused writes for so long that the memory for waiting clicks is full. New clicks are not counted.",
  ),
  click_log_write_restored: info(
    "the click log is being written again",
    "After `after_ms` milliseconds, all clicks in memory are on the disk or counted; `lost` clicks did not fit.",
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
    "A process ended while writing the last `bytes` bytes of `segment`; none of these visitors had been answered.",
  ),
  click_counting_failing: error(
    "clicks cannot be counted; they stay in the click log",
    "The database is unreachable, or a segment cannot be read or stored (`err`); other segments are still counted. Retried every second. `segments` files are waiting, the oldest since `oldest`.",
  ),
  click_counting_restored: info(
    "clicks are being counted again",
    "The cause of `click_counting_failing` is gone; the waiting clicks are being counted.",
  ),
  clicks_counted_again: error(
    "the database lost its last transactions; their clicks are counted again",
    "The database has older contents than before: a lagging replica was promoted, or a backup was restored. Lost clicks of `segments` files of the click log are counted again, each once, as far back as `CLICK_LOG_KEEP`. Links, changes and sign-ins from that time are gone.",
  ),
  clicks_left: info(
    "uncounted clicks stay in the log until the next start",
    "The process stops while `clicks` clicks in `bytes` bytes of the click log are not counted yet: the next start counts them. If the database does not answer, `clicks` is missing and `bytes` is the size of the whole log. With `CLICK_STREAM_URL`, up to `not_in_stream` bytes are on this machine only.",
  ),
  restore_finished: info(
    "an interrupted restore is complete",
    "The command `restore` was interrupted after it restored the database and before it wrote uncounted clicks to the click log. They are now there, in `segments` files, and are being counted.",
  ),
  click_stream_unavailable: error(
    "the click stream does not accept clicks; they are on this disk only",
    "The server at `CLICK_STREAM_URL` is unreachable, slow or full (`err`). Redirects and counting continue; the clicks on the disk follow when it is back.",
  ),
  click_stream_available: info(
    "the click stream has all clicks again",
    "All clicks written while the stream was unavailable have followed, `after_ms` milliseconds after it failed.",
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
    "`entries` entries are damaged, of another version of Terse or of another program (`reason`). If Terse wrote them, their clicks are counted from their node's disk. `old`: the stream lost its end, so all entries of the last day are read again.",
  ),
  click_stream_gap: warn(
    "the click stream lacks a part of a segment",
    "The stream lost `bytes` bytes before an entry of `segment`. The segment's node sends it again, or counts it from its disk.",
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
    "At the first start with `CLICKHOUSE_URL`, and after the database or ClickHouse went back in time (a restored backup, a lagging replica). Counting continues; until `clickhouse_loaded`, reports are answered from the database.",
  ),
  clickhouse_loaded: info(
    "ClickHouse has the raw clicks of the database",
    "The copy that `clickhouse_loading` announced took `after_ms` milliseconds.",
  ),
  clickhouse_unavailable: error(
    "clicks cannot be copied to ClickHouse; they wait in the database",
    "The server at `CLICKHOUSE_URL` or the database is unreachable, or refuses clicks (`err`). Redirects and counting continue. Filters, groups and exports are answered from the database as far back as it has raw clicks (`CLICK_RETENTION_DAYS`), and with 503 before that. Retried every second; waiting clicks are copied once.",
  ),
  clickhouse_available: info(
    "clicks are copied to ClickHouse again",
    "The cause of `clickhouse_unavailable` is gone, and ClickHouse has all waiting clicks.",
  ),
  clickhouse_clicks_dropped: info(
    "dropped raw clicks in ClickHouse past their retention",
    "The months in `dropped` are older than `CLICKHOUSE_RETENTION_DAYS`. Totals are kept.",
  ),
  link_reported: warn(
    "a visitor reported a short link",
    "A visitor reported `short_url` on its preview page, for the chosen `reason`. The admin command `report list` shows all open reports.",
  ),
  unused_links_deleted: info(
    "deleted unused anonymous links",
    "`links` links without an account had no click for `ANONYMOUS_LINKS_DAYS`. Their slugs are free. Each node checks once a day.",
  ),
  host_list_read: info(
    "a host list was read",
    "The file `list` is new or has changed. Its `hosts` hosts are blocked; `skipped_lines` lines have an unknown format.",
  ),
  host_list_failing: error(
    "a host list cannot be read",
    "The file `list` is missing, unreadable or not a host list (`err`). The `hosts` hosts of its last good version stay blocked. Retried every few seconds.",
  ),
  host_list_restored: info("a host list can be read again", "The cause of `host_list_failing` is gone."),
  geo_database_read: info(
    "the geolocation database was read",
    "The file `file` of `GEO_DB` is new or has changed: type `type`, built on `built`, `bytes` bytes in memory.",
  ),
  geo_database_failing: error(
    "the geolocation database cannot be read",
    "The file `file` of `GEO_DB` is missing, unreadable or not a database (`err`). The last good version, built on `built`, stays in use; without one, countries come from the data included in Terse. Retried every few seconds.",
  ),
  geo_database_restored: info(
    "the geolocation database can be read again",
    "The cause of `geo_database_failing` is gone.",
  ),
  filtering_resolver_failing: warn(
    "the filtering resolver does not answer; destinations are accepted without it",
    "`SCREEN_DNS` does not answer in time, or refuses queries. Until it answers again, only host lists block destinations.",
  ),
  filtering_resolver_restored: info(
    "the filtering resolver answers again",
    "The cause of `filtering_resolver_failing` is gone.",
  ),
  unfiltered_resolver_failing: warn(
    "the unfiltered resolver does not answer; names without a filtered address are accepted",
    "The resolvers of `DNS_SERVERS`, or the system's, do not answer in time. A name without an address from the filtering resolver may be blocked or may not exist; until they answer, it is accepted.",
  ),
  unfiltered_resolver_restored: info(
    "the unfiltered resolver answers again",
    "The cause of `unfiltered_resolver_failing` is gone.",
  ),
  fallback_lookup_failing: warn(
    "the service that a domain was moved from does not answer",
    "`service` does not say whether it knows a short URL (`reason`). Visitors to unknown short URLs of the domain get 503 for ten seconds, then it is asked again.",
  ),
  fallback_lookup_refused: warn(
    "a link from the service that a domain was moved from could not be stored",
    "The account of the domain with the id `domain` has no room for another link (`reason`). Visitors to unknown short URLs get 404.",
  ),
  account_activity: info(
    "account activity",
    "A security-relevant `action` in `account` (see /docs/activity): `by` whom, `about` what, and from which `address` (shortened to a network) and `client`. Repeated refusals and exports are reported once an hour.",
  ),
  account_erased: info(
    "a deleted account was erased",
    "Seven days after its owner deleted it, everything in `account` was erased. Its clicks remain in the totals of `erased_days`.",
  ),
  chore_failing: error(
    "a chore fails",
    "The recurring task `chore` fails (`err`), often because the database is unreachable. Other chores still run; this one is retried in about a minute.",
  ),
  chore_restored: info("a chore succeeds again", "The cause of `chore_failing` for `chore` is gone."),
  webhook_switched_off: warn(
    "a webhook was switched off",
    "Deliveries to the webhook `id` of `account` failed for three days, or its `host` answered 410 (`reason`). Its owner sees it in the webhook and in the account's activity.",
  ),
  webhooks_failing: error(
    "events cannot be delivered to webhooks",
    "The database is unreachable or refuses a statement (`err`). Events are kept and delivered later; retried every few seconds.",
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
    "The background job `id` of `account`, of the kind `kind`, processed `done` of `total` links and is `done`, `cancelled` or `failed` (`status`); `error` is what its owner sees.",
  ),
  job_failing: error(
    "a part of a job failed and will be retried",
    "`err` stopped the job `id` of `account` for the `failures`th time in a row. It is retried with growing pauses, from where it stopped, and ends after ten failures.",
  ),
  jobs_failing: error(
    "jobs cannot run",
    "The database is unreachable or refuses a statement (`err`). Retried every five seconds.",
  ),
  jobs_restored: info(
    "jobs are running again",
    "The cause of `jobs_failing` is gone; jobs continue where they stopped.",
  ),
  activity_not_recorded: error(
    "an account's activity could not be recorded",
    "`action` happened to `account`, but is missing from its list of activity (`err`).",
  ),
  credential_refused: warn(
    "a credential was refused",
    "An API key, a session or a sign-in that belongs to no account was `refused`, for `reason`. At most one line a second; `count` is the number of refusals since the last line, `address` and `client` are the latest one's.",
  ),
};

export type CoreEventCode = keyof typeof coreEvents;

/** A condition that began or ended, apart from failing calls. Further fields give details. */
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
