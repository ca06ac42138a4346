import type { Meter } from "../../../kernel/meter.types.ts";
import type { Tracer } from "../../../kernel/tracer.types.ts";
import type { Batch } from "../prepare/prepare.ts";
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

  /** Measures the storing of a batch; it returns false if another drain had counted it. */
  function measured(batch: Batch, work: () => Promise<boolean>): Promise<boolean> {
    return tracer.span("clicks.count", {}, async (span) => {
      const started = performance.now();
      try {
        const isStored = await work();
        duration.observe((performance.now() - started) / 1000);
        const count = isStored ? batch.clicks.length : 0;
        clicks.value += count;
        (isStored ? stored : elsewhere).value++;
        span?.set({ "terse.clicks": count });
        return isStored;
      } catch (error) {
        failed.value++;
        throw error;
      }
    });
  }

  return {
    ...store,
    store: (batch, progress, writer) => measured(batch, () => store.store(batch, progress, writer)),
    storePart: (part, progress, writer) =>
      measured(part.batch, () => store.storePart(part, progress, writer)),
  };
}
