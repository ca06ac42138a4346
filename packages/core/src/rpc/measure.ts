import type { Reply } from "../kernel/context.ts";
import type { Meter } from "../kernel/meter.types.ts";
import type { Span } from "../kernel/tracer.types.ts";
import { toFailure } from "./failure.ts";

/** Begins to measure a call of an operation; call the result with its error, or null. */
export function measureOperation(
  meter: Meter,
  operation: string,
  reply: Pick<Reply, "rateLimit">,
  span: Span | null,
): (error: unknown) => void {
  const started = performance.now();
  return (error) => {
    const status = error === null ? 200 : toFailure(error).status;
    const result = status >= 500 ? "failed" : status >= 400 ? "refused" : "ok";
    span?.set({ "terse.result": result });
    meter.counter("terse_operations_total", { operation, result }).value++;
    meter.counter("terse_operation_seconds_total", { operation }).value +=
      (performance.now() - started) / 1000;
    if (status !== 429) return;
    meter.counter("terse_rate_limit_refusals_total", { policy: reply.rateLimit?.policy ?? "other" }).value++;
  };
}
