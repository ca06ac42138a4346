import { monitorEventLoopDelay } from "node:perf_hooks";
import { createMeter, type Measured } from "@terse/core/redirect";
import { logEvent } from "../events.ts";
import type { Logger } from "../log.ts";
import about from "../../package.json" with { type: "json" };

const percentiles = [50, 99, 100] as const;
/** No scrape of the last minute misses a delay, and none takes it from another. */
const windowMs = 60_000;

/** The version of Terse; all its packages have the same. */
export const { version } = about;

/** Logs when this process was blocked for `stallMs` milliseconds or more, default five seconds. */
export function reportStalls(
  logger: Pick<Logger, "info" | "warn" | "error">,
  { stallMs = 5000, checkMs = 1000 } = {},
): NodeJS.Timeout {
  let last = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const ms = Math.round(now - last - checkMs);
    last = now;
    if (ms >= stallMs) logEvent(logger, "process_stalled", { ms });
  }, checkMs).unref();
}

/** Measures this process. */
export function createProcessMetrics(): () => Measured[] {
  const meter = createMeter();
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const delayAt = (percentile: number) => (delay.count === 0 ? 0 : delay.percentile(percentile) / 1e9);
  let before = percentiles.map(() => 0);
  setInterval(() => {
    before = percentiles.map(delayAt);
    delay.reset();
  }, windowMs).unref();
  meter.read("terse_processes", () => 1);
  meter.read("terse_build_info", () => 1, { version, node: process.versions.node });
  meter.read("process_start_time_seconds", () => startedAt);
  meter.read("process_cpu_seconds_total", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  meter.read("process_resident_memory_bytes", () => process.memoryUsage.rss());
  meter.read("nodejs_heap_used_bytes", () => process.memoryUsage().heapUsed);
  for (const [at, percentile] of percentiles.entries()) {
    const read = () => Math.max(before[at] ?? 0, delayAt(percentile));
    meter.read("nodejs_eventloop_delay_seconds", read, { percentile: String(percentile) });
  }
  return () => meter.collect();
}
