import { type Collector, startCollector } from "@terse/testkit/collector";
import { until } from "@terse/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRequestSpans, createLogger, listen, readSettings, startTelemetry } from "../src/index.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const settings = (env: Record<string, string> = {}) =>
  readSettings(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", ...env },
    "/",
  );

/** Begins and ends a span. */
async function show(env: Record<string, string>): Promise<void> {
  const telemetry = await startTelemetry(settings(env));
  await telemetry.tracer.span("work", {}, async () => {});
  await telemetry.close();
}

describe("requests in traces", () => {
  it("are part of the sender's trace only if the sender is a trusted proxy", async () => {
    for (const [proxies, expected] of [
      [[], false],
      [["127.0.0.1"], true],
    ] as const) {
      const telemetry = await startTelemetry(settings());
      const listener = await listen({
        name: "test",
        app: { fetch: () => new Response("answer") },
        host: "127.0.0.1",
        port: 0,
        portSetting: "PORT",
        spans: createRequestSpans(telemetry.tracer, proxies, "/{slug}"),
      });
      await fetch(`${listener.url}/some-slug`, {
        headers: { traceparent: `00-${trace}-b7ad6b7169203331-01`, tracestate: "a=b" },
      });
      await listener.close();
      await telemetry.close();
      const span = collector.spans().at(-1);
      expect(span?.name).toBe("GET /{slug}");
      expect(span?.traceId === trace).toBe(expected);
    }
  });
});

describe("the variables of OpenTelemetry", () => {
  it("choose what is sent, and where to", async () => {
    await show({ OTEL_SDK_DISABLED: "true" });
    await show({ OTEL_TRACES_EXPORTER: "none" });
    await show({ OTEL_TRACES_SAMPLER: "always_off" });
    await show({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
    expect(collector.requests).toEqual([]);
    await show({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1.0" });
    await show({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/elsewhere` });
    expect(collector.requests.map(({ path }) => path)).toEqual(["/v1/traces", "/elsewhere"]);
    expect(collector.spans().map(({ service }) => service)).toEqual(["terse", "terse"]);
  });

  it("choose the encoding, which is that of Protocol Buffers without them", async () => {
    await show({ OTEL_EXPORTER_OTLP_PROTOCOL: "" });
    const [request] = collector.requests;
    expect(request?.headers["content-type"]).toBe("application/x-protobuf");
    expect(request?.body.includes("work")).toBe(true);
  });
});

describe("a collector that refuses everything", () => {
  it("is reported once", async () => {
    collector.answer(400);
    const telemetry = await startTelemetry(settings());
    const reasons: string[] = [];
    telemetry.onFailure((reason) => reasons.push(reason));
    // The batch is full.
    for (let count = 0; count < 2 * 512; count++) await telemetry.tracer.span("work", {}, async () => {});
    await until(() => reasons.length > 0);
    await telemetry.close();
    expect(reasons).toHaveLength(1);
  });
});

describe("log records", () => {
  it("have messages, numbers, and texts that say nothing of users; of errors the type and the stack", async () => {
    const telemetry = await startTelemetry(settings());
    const logger = createLogger({ level: "info", telemetry, destination: { write: () => {} } });
    const err = Object.assign(new TypeError("text of a user"), { code: "E1" });
    logger.child({ worker: 7 }).error({ code: "known", host: "text of a user", lost: 3, err }, "it failed");
    await telemetry.close();
    const [{ attributes, ...record } = expect.fail("nothing was sent")] = collector.logs();
    expect(record).toEqual({ body: "it failed", severity: "error", traceId: undefined });
    expect(attributes).toEqual({
      worker: 7,
      code: "known",
      lost: 3,
      "exception.type": "TypeError",
      "exception.code": "E1",
      "exception.stacktrace": expect.stringMatching(/^\s+at /),
    });
    expect(JSON.stringify(attributes)).not.toContain("text of a user");
  });
});
