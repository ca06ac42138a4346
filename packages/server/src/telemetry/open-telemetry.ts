import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span as OpenSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import {
  noTracer,
  type Span,
  type SpanOptions,
  toFailure,
  type Tracer,
  waitAtMost,
} from "@terse/core/redirect";
import { version } from "../node/process-metrics.ts";
import type { Settings } from "../settings/read.ts";
import { exportersOf } from "./exporters.ts";
import { logRecordOf } from "./log-record.ts";
import { resourceOf } from "./resource.ts";
import { samplerOf } from "./sampler.ts";
import type { Collector, Telemetry } from "./telemetry.ts";

const closeTimeoutMs = 2000;
const reportPauseMs = 3_600_000;
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** The span within which code runs. The libraries' own global contexts stay unused, so that other programs can have them. */
const contexts = new AsyncLocalStorage<Context>();

/** Sends traces and logs to a collector. Only this folder loads OpenTelemetry, and only if there is a collector. */
export async function openTelemetry(settings: Settings, collector: Collector): Promise<Telemetry> {
  const exporters = await exportersOf(settings, collector);
  const resource = resourceOf(settings);
  const spans =
    exporters.traces &&
    new TracerProvider({
      resource,
      sampler: samplerOf(settings),
      spanProcessors: [new BatchSpanProcessor({ exporter: exporters.traces })],
    });
  const logs =
    exporters.logs &&
    new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter: exporters.logs })],
    });
  const logger = logs?.getLogger("terse", version);

  return {
    tracer: spans === null ? noTracer : tracerOf(spans),
    exportLine: logger
      ? (line) => logger.emit({ ...logRecordOf(line), context: contexts.getStore() ?? ROOT_CONTEXT })
      : null,
    onFailure: reportFailures,
    close: () => waitAtMost(closeTimeoutMs, Promise.allSettled([spans?.shutdown(), logs?.shutdown()])),
  };
}

function tracerOf(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer("terse", version);
  const w3c = new W3CTraceContextPropagator();
  const start = (name: string, { kind, attributes, parent }: SpanOptions, within: Context) => {
    const context = parent ? w3c.extract(within, parent, defaultTextMapGetter) : within;
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind ?? "internal"], ...(attributes && { attributes }) },
      context,
    );
    return { span, context: trace.setSpan(context, span) };
  };

  return {
    async span(name, options, work) {
      // A request is never part of another one that its connection had.
      const within = options.kind === "server" ? undefined : contexts.getStore();
      const { span, context } = start(name, options, within ?? ROOT_CONTEXT);
      try {
        return await contexts.run(context, () => work(shown(span)));
      } catch (error) {
        noteError(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    begin(name, options = {}) {
      const context = contexts.getStore();
      if (context === undefined) return null;
      const { span } = start(name, options, context);
      return (error) => {
        if (error !== null) noteError(span, error);
        span.end();
      };
    },
    current() {
      const context = contexts.getStore();
      const span = context && trace.getSpan(context);
      return span ? shown(span) : null;
    },
    headers() {
      const fields: Record<string, string> = {};
      const context = contexts.getStore();
      if (context !== undefined) w3c.inject(context, fields, defaultTextMapSetter);
      return fields;
    },
  };
}

function shown(span: OpenSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => fail(span, type),
    ids: { trace_id: traceId, span_id: spanId },
  };
}

/** A call that is refused has not failed. */
function noteError(span: OpenSpan, error: unknown): void {
  if (toFailure(error).status < 500) return;
  const { code, name } = error as { code?: string | number; name?: string };
  fail(span, String(code ?? name ?? "unknown"));
}

function fail(span: OpenSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function reportFailures(report: (reason: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    const now = performance.now();
    if (now - reportedAt < reportPauseMs) return;
    reportedAt = now;
    const { code, message } = error as { code?: string | number; message?: string };
    // Not within the span that happened to begin the batch.
    contexts.exit(() => report(String(code ?? message)));
  });
}
