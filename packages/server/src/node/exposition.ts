import { definitionOfMetric, type Measured } from "@terse/core/redirect";
import type { Metric, OpenMetricsContentType } from "prom-client";

/** Metrics as OpenMetrics text (openmetrics.io, version 1.0.0). The library is loaded on the first request. */
export async function openMetricsText(
  metrics: readonly Measured[],
): Promise<{ text: string; contentType: string }> {
  const { Registry } = await import("prom-client");
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const { name, samples } of metrics) {
    const { type, help } = definitionOfMetric(name);
    // The suffix of counters is the library's to add.
    const family = type === "counter" ? name.replace(/_total$/, "") : name;
    const values = samples.map(({ part, labels, value }) => ({
      value,
      labels,
      metricName: family + part,
    }));
    const metric = { name: family, help, type, aggregator: "sum", values };
    registry.registerMetric({ name: family, get: async () => metric } as unknown as Metric);
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}
