import type { Base } from "../db/base.ts";
import { openPool } from "../db/pool.ts";
import type { ClickBacklog, Clicks } from "../clicks/clicks.types.ts";
import type { Redirects } from "../redirects/redirects.types.ts";
import { coreEvent } from "../kernel/events.ts";
import { countOf } from "../kernel/text.ts";
import { refuseFromMs, warnFromMs, watchDatabase } from "./database-watch.ts";
import type { Checks, NodeState } from "./maintenance.types.ts";
import type { Check, Meter } from "../kernel/meter.ts";
import { backgroundLoop, type BackgroundLoop } from "../kernel/async/background-loop.ts";
import type { Pool } from "pg";

/** Watches what this process needs: the database, announced changes, its click log and its clock. */
export function createNodeState(
  deps: Pick<Base, "databaseUrl" | "pool" | "meter" | "clock" | "onEvent">,
  { clicks, redirects, drains }: { clicks: Clicks; redirects: Redirects; drains: () => boolean },
): NodeState {
  const { databaseUrl, meter, clock, onEvent } = deps;
  let isSkewed = false;
  const onSkew = (ms: number) => {
    const off = Math.abs(ms);
    // Without the gap between the limits, a clock at the limit would be reported again and again.
    if (isSkewed ? off >= warnFromMs / 2 : off < warnFromMs) return;
    isSkewed = !isSkewed;
    onEvent(coreEvent(isSkewed ? "clock_skewed" : "clock_right", { ahead_ms: Math.round(ms) }));
  };
  const database = watchDatabase(
    openPool(databaseUrl, { size: 1, statementMs: 1000, silenceMs: 1500, role: "state" }),
    clock,
    onSkew,
  );
  let willDrain = false;
  const backlog = watchBacklog(async () => (drains() || willDrain ? clicks.backlog() : null), meter);
  const service = measureService(deps.pool, meter);
  let watching = false;

  function checks(): Checks {
    const failure = database.failure();
    const logStats = clicks.stats();
    const stream = clicks.stream();
    const { watched, watching: listens } = redirects.stats();
    return {
      database: failure ? { ok: false, ...failure } : good("the database answers"),
      migrations: database.isMigrated()
        ? good("the database has the tables of this version")
        : bad("the database does not have the tables of this version yet"),
      clock: clockCheck(database.skewMs()),
      ...(listens && {
        purge_channel: watched
          ? good("changes of links are received")
          : bad("changes of links are not received; those of other nodes arrive late"),
      }),
      ...(logStats && {
        click_log:
          logStats.segment !== null && !logStats.degraded
            ? good("the click log can be written")
            : bad(
                "the click log cannot be written; clicks wait in memory",
                `${countOf(logStats.queued, "click")} waiting, ${logStats.lost} lost`,
              ),
      }),
      // Always passes: nodes continue without it, and it would take all of them out of service at once.
      ...(stream && {
        click_stream: good(
          stream.isUnavailable
            ? "the click stream does not answer; clicks are on this machine only"
            : "the click stream takes clicks",
        ),
      }),
      ...(drains() && {
        backlog: backlog.isStuck()
          ? bad("clicks wait, and none was counted for a minute", describe(backlog.latest()))
          : good("clicks are being counted"),
      }),
    };
  }

  meter.read("terse_clock_skew_seconds", () => (watching ? database.skewMs() / 1000 : null));
  return {
    watch(options) {
      willDrain ||= options?.willDrain ?? false;
      if (watching) return;
      watching = true;
      database.start();
      backlog.start();
      service.start();
    },
    checks,
    async close() {
      await Promise.all([database.close(), backlog.close(), service.stop()]);
    },
  };
}

const good = (detail: string): Check => ({ ok: true, detail });
const bad = (detail: string, reason?: string): Check => ({
  ok: false,
  detail,
  ...(reason !== undefined && { reason }),
});

function clockCheck(ms: number): Check {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < warnFromMs / 1000) return good("the clocks of this node and of the database agree");
  const detail = `the clocks of this node and of the database are ${seconds.toFixed(1)} s apart`;
  return { ok: Math.abs(ms) < refuseFromMs, detail };
}

const describe = (backlog: { bytes: number; clicks: number } | null) =>
  backlog === null ? "" : `${countOf(backlog.clicks, "click")}, ${countOf(backlog.bytes, "byte")}`;

const backlogMs = 2000;
/** Milliseconds that clicks may wait without any being counted, before counting is reported as stalled */
const stuckMs = 60_000;

/**
 * Measures the backlog of this node's click log every two seconds. The last measurement stays while measuring is impossible.
 */
function watchBacklog(measure: () => Promise<ClickBacklog | null>, meter: Meter) {
  let backlog: ClickBacklog | null = null;
  let progressAt = performance.now();

  const loop = backgroundLoop({
    async runOnce() {
      const before = backlog;
      backlog = await measure();
      const { clicks = 0, bytes = 0, oldest } = backlog ?? {};
      if (clicks === 0 || oldest !== before?.oldest || bytes < (before?.bytes ?? 0))
        progressAt = performance.now();
      return backlogMs;
    },
    retryMs: backlogMs,
  });

  meter.read("terse_click_backlog_bytes", () => backlog && backlog.bytes);
  meter.read("terse_click_backlog_clicks", () => backlog && backlog.clicks);
  meter.read("terse_click_backlog_seconds", () =>
    backlog === null ? null : backlog.oldest === null ? 0 : Math.max(0, Date.now() - backlog.oldest) / 1000,
  );
  meter.read("terse_disk_free_bytes", () => backlog && backlog.free);
  return {
    /** The last measurement; null before the first, and without a click log */
    latest: () => backlog,
    /** Clicks wait, and none was counted for a minute. */
    isStuck: () => (backlog?.clicks ?? 0) > 0 && performance.now() - progressAt > stuckMs,
    start: loop.start,
    close: loop.stop,
  };
}

const serviceMs = 15_000;

interface Row {
  domains: Record<string, number> | null;
  jobs: Record<string, number> | null;
  webhooks: { active: number; failing: number; off: number; waiting: number };
}

/**
 * Reads the figures of the whole service, four times a minute: they are the same on every node, and need one small statement.
 */
function measureService(pool: Pool, meter: Meter): BackgroundLoop {
  let row: Row | null = null;
  for (const status of ["pending", "verified", "failed"])
    meter.read("terse_domains", () => row && (row.domains?.[status] ?? 0), { status });
  for (const status of ["waiting", "running"])
    meter.read("terse_jobs", () => row && (row.jobs?.[status] ?? 0), { status });
  for (const state of ["active", "failing", "off"] as const)
    meter.read("terse_webhooks", () => row && row.webhooks[state], { state });
  meter.read("terse_webhook_events_waiting", () => row && row.webhooks.waiting);

  return backgroundLoop({
    async runOnce() {
      const { rows } = await pool.query<Row>({ name: "service-metrics", text: statement });
      row = rows[0] ?? null;
      return serviceMs;
    },
    retryMs: serviceMs,
    onFailure: () => {
      row = null;
    },
  });
}

const statement = `select
  (select json_object_agg(status, n) from
    (select status, count(*)::int as n from domains where account_id is not null and deleted_at is null group by 1) d
  ) as domains,
  (select json_object_agg(status, n) from
    (select status, count(*)::int as n from jobs where ended_at is null group by 1) j
  ) as jobs,
  (select json_build_object(
     'active', count(*) filter (where active and failing_since is null),
     'failing', count(*) filter (where active and failing_since is not null),
     'off', count(*) filter (where not active),
     'waiting', coalesce(max(latest - position) filter (where active), 0)
   ) from webhooks) as webhooks`;
