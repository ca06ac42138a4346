import type { Meter } from "@terse/core/redirect";
import type { MiddlewareHandler } from "hono";

/** Counts and times the requests of a listener. */
export function measureRequests(meter: Meter, listener: "http" | "mcp"): MiddlewareHandler {
  const duration = meter.histogram("terse_http_request_duration_seconds", { listener });
  return async (c, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      duration.observe((performance.now() - started) / 1000);
      const status = `${Math.floor(c.res.status / 100)}xx`;
      meter.counter("terse_http_requests_total", { listener, status }).value++;
    }
  };
}
