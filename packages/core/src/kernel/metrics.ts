interface MetricDefinition<Type = "counter" | "gauge" | "histogram"> {
  type: Type;
  /** A description, with the unit if the name does not say it */
  help: string;
  labels?: readonly string[];
  /** How the values of several processes become one; default: their sum */
  combine?: "max" | "min";
  /** Upper bounds of a histogram's buckets */
  buckets?: readonly number[];
}

const counter = (help: string, labels: readonly string[] = []): MetricDefinition<"counter"> => ({
  type: "counter",
  help,
  labels,
});
const gauge = (
  help: string,
  more: Pick<MetricDefinition, "labels" | "combine"> = {},
): MetricDefinition<"gauge"> => ({ type: "gauge", help, ...more });
const histogram = (
  help: string,
  buckets: readonly number[],
  labels: readonly string[] = [],
): MetricDefinition<"histogram"> => ({ type: "histogram", help, buckets, labels });

const requestSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 2.5];
const workSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * All metrics. The number of series does not depend on the number of users, links or clicks: labels have few values.
 * Names never change, so that alerts can be built on them.
 */
export const metricTable = {
  terse_redirects_total: counter(
    "Requests to the short-link host by outcome: redirect, page, not_found, gone, limited, refused, unavailable, error",
    ["outcome"],
  ),
  terse_redirect_duration_seconds: histogram(
    "Time to answer a request to the short-link host, including logging the click",
    requestSeconds,
  ),
  terse_http_requests_total: counter(
    "Requests to the other hosts, by listener (http, mcp) and class of status",
    ["listener", "status"],
  ),
  terse_http_request_duration_seconds: histogram("Time to answer a request to the other hosts", workSeconds, [
    "listener",
  ]),
  terse_operations_total: counter(
    "Calls of operations over REST, tRPC, MCP and in process, by name and result: ok, refused, failed",
    ["operation", "result"],
  ),
  terse_operation_seconds_total: counter("Duration of operation calls", ["operation"]),
  terse_clicks_logged_total: counter(
    "Clicks accepted for the click log, on disk or in memory; each is then counted, in the backlog, or lost from memory",
  ),
  terse_clicks_lost_total: counter(
    "Clicks lost because the disk refused them until the memory was full or the process ended",
  ),
  terse_clicks_counted_total: counter("Clicks stored in the database"),
  terse_click_backlog_clicks: gauge(
    "Clicks in this node's log that are not counted yet; an estimate beyond 16 MiB",
  ),
  terse_click_backlog_bytes: gauge("Bytes of this node's click log that are not counted yet"),
  terse_click_backlog_seconds: gauge("Age of the oldest click that is not counted yet", { combine: "max" }),
  terse_disk_free_bytes: gauge("Free bytes of the disk with the click log", { combine: "min" }),
  terse_click_memory_clicks: gauge("Clicks waiting in memory because the disk refuses them"),
  terse_click_stream_open: gauge(
    "1 while the click stream is available, 0 while it is not; only with CLICK_STREAM_URL",
    { combine: "min" },
  ),
  terse_click_stream_waiting_bytes: gauge(
    "Bytes of the click log that are not in the click stream yet; only with CLICK_STREAM_URL",
  ),
  terse_drain_batches_total: counter(
    "Batches of clicks by result: stored, elsewhere (another drain counted them), failed",
    ["result"],
  ),
  terse_drain_batch_duration_seconds: histogram("Time to store a batch of clicks", workSeconds),
  terse_clickhouse_up: gauge("1 while ClickHouse is available, 0 while it is not; only with CLICKHOUSE_URL", {
    combine: "min",
  }),
  terse_clickhouse_waiting_clicks: gauge(
    "Counted clicks that ClickHouse does not have yet; the same on every node, only with CLICKHOUSE_URL",
    { combine: "max" },
  ),
  terse_clickhouse_shipping_duration_seconds: histogram(
    "Time this node took to copy waiting clicks to ClickHouse; only with CLICKHOUSE_URL",
    workSeconds,
  ),
  terse_route_cache_hits_total: counter("Visits whose route was cached"),
  terse_route_cache_loads_total: counter("Reads of routes and domains from the database"),
  terse_route_cache_routes: gauge("Cached routes"),
  terse_route_cache_bytes: gauge("Estimated bytes of cached routes"),
  terse_purges_total: counter("Link changes received from other nodes"),
  terse_purge_delay_seconds: histogram(
    "Time from a change's commit until this node hears of it, measured every two seconds",
    workSeconds,
  ),
  terse_purge_channel_open: gauge("1 while changes of links are received, 0 while they may be missed", {
    combine: "min",
  }),
  terse_database_connections: gauge("Connections of the pools by state: used, idle", { labels: ["state"] }),
  terse_database_waiting: gauge("Callers waiting for a connection of the pool"),
  terse_database_wait_seconds: histogram(
    "Time that callers waited because all connections of the pool were busy",
    workSeconds,
  ),
  terse_slow_statements_total: counter("SQL statements that took longer than LOG_SLOW_MS"),
  terse_rate_limit_refusals_total: counter("Calls refused with 429, by limit", ["policy"]),
  terse_destinations_screened_total: counter(
    "Checked hosts of new destinations, by verdict: allowed, blocked",
    ["verdict"],
  ),
  terse_events_total: counter("Log events by code, see /docs/events", ["code"]),
  terse_condition: gauge(
    "1 while the condition of an event such as redis_lost holds, else 0; see /docs/events",
    { labels: ["code"], combine: "max" },
  ),
  terse_replica_lag_seconds: gauge(
    "How far reads from a replica may lag behind the primary, in seconds, by host; only with DATABASE_REPLICA_URL",
    { labels: ["replica"], combine: "max" },
  ),
  terse_last_backup_timestamp_seconds: gauge(
    "When `admin backup` last completed for this DATA_DIR, in seconds since the epoch; missing before the first backup",
    { combine: "max" },
  ),
  terse_domains: gauge("Custom domains by status; the same on every node", {
    labels: ["status"],
    combine: "max",
  }),
  terse_webhooks: gauge("Webhooks by state: active, failing, off; the same on every node", {
    labels: ["state"],
    combine: "max",
  }),
  terse_webhook_events_waiting: gauge(
    "Events not yet delivered to the slowest active webhook; the same on every node",
    { combine: "max" },
  ),
  terse_jobs: gauge("Unfinished jobs by status; the same on every node", {
    labels: ["status"],
    combine: "max",
  }),
  terse_chore_failures_total: counter(
    "Failures of chores, the recurring work such as deleting old data, by chore",
    ["chore"],
  ),
  terse_clock_skew_seconds: gauge("The database's clock minus this node's", { combine: "max" }),
  terse_ready: gauge("1 if the check of /readyz passes, else 0", { labels: ["check"], combine: "min" }),
  terse_processes: gauge("Reporting processes of this node"),
  terse_build_info: gauge("1, with the versions of Terse and Node", {
    labels: ["version", "node"],
    combine: "max",
  }),
  process_cpu_seconds_total: counter("CPU time"),
  process_resident_memory_bytes: gauge("Resident memory"),
  process_start_time_seconds: gauge("When the oldest process started, in seconds since the epoch", {
    combine: "min",
  }),
  nodejs_heap_used_bytes: gauge("Memory in use on V8's heaps"),
  nodejs_eventloop_delay_seconds: gauge(
    "Delay of the event loop in the last minute or two by percentile, of the process with the longest",
    { labels: ["percentile"], combine: "max" },
  ),
};

export type MetricName = keyof typeof metricTable;
type NameOf<Type> = {
  [N in MetricName]: (typeof metricTable)[N]["type"] extends Type ? N : never;
}[MetricName];
export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;

export const definitionOfMetric = (name: MetricName): MetricDefinition => metricTable[name];
