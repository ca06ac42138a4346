import { parseKeyPairsIntoRecord } from "@opentelemetry/core";
import type { LogRecordExporter } from "@opentelemetry/sdk-logs";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Settings } from "../settings/read.ts";
import type { Collector } from "./telemetry.ts";

interface Exporters {
  traces: SpanExporter | null;
  logs: LogRecordExporter | null;
}

/**
 * Creates what sends traces and logs, and loads only the encoding that is set. The libraries read the other variables of the
 * specification themselves: time limit, compression, certificates, and fields for traces or logs alone.
 */
export async function exportersOf(
  { OTEL_EXPORTER_OTLP_HEADERS: fields, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }: Settings,
  { traces, logs }: Collector,
): Promise<Exporters> {
  const headers = fields === null ? {} : { headers: parseKeyPairsIntoRecord(fields) };
  const [{ OTLPTraceExporter }, { OTLPLogExporter }] =
    protocol === "http/json"
      ? await Promise.all([
          import("@opentelemetry/exporter-trace-otlp-http"),
          import("@opentelemetry/exporter-logs-otlp-http"),
        ])
      : await Promise.all([
          import("@opentelemetry/exporter-trace-otlp-proto"),
          import("@opentelemetry/exporter-logs-otlp-proto"),
        ]);
  return {
    traces: traces === null ? null : new OTLPTraceExporter({ url: traces, ...headers }),
    logs: logs === null ? null : new OTLPLogExporter({ url: logs, ...headers }),
  };
}
