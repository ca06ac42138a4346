import { noTracer, type Tracer } from "@terse/core/redirect";
import type { Settings } from "../settings/read.ts";

/** The data this process sends to an OpenTelemetry collector. */
export interface Telemetry {
  readonly tracer: Tracer;
  /** Takes a line of the log when it is written; null if logs are not sent */
  readonly exportLine: ((line: string) => void) | null;
  /** `report` is called when the collector takes nothing, at most once an hour. */
  onFailure(report: (reason: string) => void): void;
  /** Sends the rest, for two seconds at most. */
  close(): Promise<void>;
}

/** Nothing is collected and nothing is sent. */
export const noTelemetry: Telemetry = {
  tracer: noTracer,
  exportLine: null,
  onFailure: () => {},
  close: async () => {},
};

/** Where traces and logs are sent; null: nowhere. */
export interface Collector {
  traces: string | null;
  logs: string | null;
}

/** Loads the libraries of OpenTelemetry if a collector is set, and nothing otherwise. */
export async function startTelemetry(settings: Settings): Promise<Telemetry> {
  const collector = collectorOf(settings);
  if (collector.traces === null && collector.logs === null) return noTelemetry;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(settings, collector);
}

/** Reads OpenTelemetry's variables as its specification says, but without its default endpoint on this machine. */
function collectorOf(settings: Settings): Collector {
  if (settings.OTEL_SDK_DISABLED === "true") return { traces: null, logs: null };
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const urlOf = (path: string, own: string | null) => own ?? (base === undefined ? null : base + path);
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT } = settings;
  return {
    traces:
      settings.OTEL_TRACES_EXPORTER === "none"
        ? null
        : urlOf("/v1/traces", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    logs: settings.OTEL_LOGS_EXPORTER === "none" ? null : urlOf("/v1/logs", OTEL_EXPORTER_OTLP_LOGS_ENDPOINT),
  };
}
