import type { Meter } from "../../../kernel/meter.types.ts";
import type { Tracer } from "../../../kernel/tracer.types.ts";
import type { ClickStore } from "./store.ts";

/** Counts and times the batches of a store, and shows them in traces. */
export function measuredStore(
  store: ClickStore,
  { meter, tracer }: { meter: Meter; tracer: Tracer },
): ClickStore {
  const batches = (result: string) => meter.counter("terse_drain_batches_total", { result });
  const stored = batches("stored");
  const elsewhere = batches("elsewhere");
  const failed = batches("failed");
  const clicks = meter.counter("terse_clicks_counted_total");
  const duration = meter.histogram("terse_drain_batch_duration_seconds");

  /** Measures `work`; `clicksOf` tells how many clicks it stored, null if another drain had counted them. */
  function measured<T>(work: () => Promise<T>, clicksOf: (result: T) => number | null): Promise<T> {
    return tracer.span("clicks.count", {}, async (span) => {
      const started = performance.now();
      try {
        const result = await work();
        duration.observe((performance.now() - started) / 1000);
        const count = clicksOf(result);
        clicks.value += count ?? 0;
        (count === null ? elsewhere : stored).value++;
        span?.set({ "terse.clicks": count ?? 0 });
        return result;
      } catch (error) {
        failed.value++;
        throw error;
      }
    });
  }

  return {
    ...store,
    store: (batch, progress, writer) =>
      measured(
        () => store.store(batch, progress, writer),
        (isStored) => (isStored ? batch.clicks.length : null),
      ),
    storeOne: (parts, progress, writer) =>
      measured(
        () => store.storeOne(parts, progress, writer),
        (bit) => (bit === null ? null : (parts.get(bit)?.clicks.length ?? 0)),
      ),
  };
}
