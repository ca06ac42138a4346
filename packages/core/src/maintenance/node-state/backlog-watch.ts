import { backgroundLoop } from "../../kernel/async/background-loop.ts";
import type { Meter } from "../../kernel/meter.ts";
import type { ClickBacklog } from "../../clicks/clicks.types.ts";

const intervalMs = 2000;
/** Milliseconds that clicks may wait without any being counted, before counting is said to stand still */
const stuckMs = 60_000;

export interface BacklogWatch {
  /** The last measurement; null before the first, and without a click log */
  latest(): ClickBacklog | null;
  /** Clicks wait, and none was counted for a minute. */
  isStuck(): boolean;
  start(): void;
  close(): Promise<void>;
}

/** Measures the backlog of this node's click log every two seconds. It stays as last measured while that is impossible. */
export function watchBacklog(measure: () => Promise<ClickBacklog | null>, meter: Meter): BacklogWatch {
  let backlog: ClickBacklog | null = null;
  let progressAt = performance.now();

  const loop = backgroundLoop({
    async runOnce() {
      const before = backlog;
      backlog = await measure();
      const { clicks = 0, bytes = 0, oldest } = backlog ?? {};
      if (clicks === 0 || oldest !== before?.oldest || bytes < (before?.bytes ?? 0))
        progressAt = performance.now();
      return intervalMs;
    },
    retryMs: intervalMs,
    onFailure: () => {},
    keepsProcessAlive: false,
  });

  meter.read("terse_click_backlog_bytes", () => backlog && backlog.bytes);
  meter.read("terse_click_backlog_clicks", () => backlog && backlog.clicks);
  meter.read("terse_click_backlog_seconds", () =>
    backlog === null ? null : backlog.oldest === null ? 0 : Math.max(0, Date.now() - backlog.oldest) / 1000,
  );
  meter.read("terse_disk_free_bytes", () => backlog && backlog.free);
  return {
    latest: () => backlog,
    isStuck: () => (backlog?.clicks ?? 0) > 0 && performance.now() - progressAt > stuckMs,
    start: loop.start,
    close: loop.stop,
  };
}
