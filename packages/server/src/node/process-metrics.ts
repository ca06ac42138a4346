import { monitorEventLoopDelay } from "node:perf_hooks";
import { createMeter, type Measured } from "@terse/core/redirect";
import about from "../../package.json" with { type: "json" };

const percentiles = [50, 99, 100] as const;

/** The version of Terse; all its packages have the same. */
export const { version } = about;

/** Measures this process. */
export function createProcessMetrics(): () => Measured[] {
  const meter = createMeter();
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  meter.read("terse_processes", () => 1);
  meter.read("terse_build_info", () => 1, { version, node: process.versions.node });
  meter.read("process_start_time_seconds", () => startedAt);
  meter.read("process_cpu_seconds_total", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  meter.read("process_resident_memory_bytes", () => process.memoryUsage.rss());
  meter.read("nodejs_heap_used_bytes", () => process.memoryUsage().heapUsed);
  for (const percentile of percentiles) {
    const read = () => (delay.count === 0 ? 0 : delay.percentile(percentile) / 1e9);
    meter.read("nodejs_eventloop_delay_seconds", read, { percentile: String(percentile) });
  }
  return () => {
    const measured = meter.collect();
    delay.reset();
    return measured;
  };
}
