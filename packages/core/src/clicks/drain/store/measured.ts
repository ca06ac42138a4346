import type { Meter } from "../../../kernel/meter.types.ts";
import type { ClickStore } from "./store.ts";

/** Counts and times the batches of a store. */
export function measuredStore(store: ClickStore, meter: Meter): ClickStore {
  const batches = (result: string) => meter.counter("terse_drain_batches_total", { result });
  const stored = batches("stored");
  const elsewhere = batches("elsewhere");
  const failed = batches("failed");
  const clicks = meter.counter("terse_clicks_counted_total");
  const duration = meter.histogram("terse_drain_batch_duration_seconds");
  return {
    ...store,
    async store(batch, progress, writer) {
      const started = performance.now();
      try {
        const isStored = await store.store(batch, progress, writer);
        duration.observe((performance.now() - started) / 1000);
        if (isStored) clicks.value += batch.clicks.length;
        (isStored ? stored : elsewhere).value++;
        return isStored;
      } catch (error) {
        failed.value++;
        throw error;
      }
    },
  };
}
