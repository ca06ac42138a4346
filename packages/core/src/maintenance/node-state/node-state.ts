import type { RedirectDeps } from "../../redirects/redirect-deps.ts";
import { openPool } from "../../db/pool.ts";
import type { Clicks } from "../../clicks/clicks.types.ts";
import type { Redirects } from "../../redirects/redirects.types.ts";
import { coreEvent } from "../../kernel/events.ts";
import { watchBacklog } from "./backlog-watch.ts";
import { refuseFromMs, warnFromMs } from "./clock.ts";
import { watchDatabase } from "./database-watch.ts";
import type { Checks, NodeState } from "./node-state.types.ts";
import type { Check } from "../../kernel/meter.ts";
import { readServiceFigures } from "./service-figures.ts";

/** Watches what this process needs: the database, announced changes, its click log and its clock. */
export function createNodeState(
  deps: RedirectDeps,
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
  const figures = readServiceFigures(deps.pool, meter);
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
                `${logStats.queued} clicks wait, ${logStats.lost} are lost`,
              ),
      }),
      // Always passes: without it nodes go on as before, and it would take all of them out of service at once.
      ...(stream && {
        click_stream: good(
          stream.isAway
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
      figures.start();
    },
    checks,
    async close() {
      await Promise.all([database.close(), backlog.close(), figures.stop()]);
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
  backlog === null ? "" : `${backlog.clicks} clicks, ${backlog.bytes} bytes`;
