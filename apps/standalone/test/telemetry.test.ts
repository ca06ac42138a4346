import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { until } from "@terse/testkit";
import { type CollectedSpan, type Collector, startCollector } from "@terse/testkit/collector";
import { startDns, type TestDns } from "@terse/testkit/dns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newDataDir, remove, tellingOfOpenTelemetry } from "./process.ts";
import { follow, ownerKey, type Service, startService } from "./service.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const caller = "b7ad6b7169203331";
const visitor = "203.0.113.77";
const destination = "https://destination.example.com/secret-path";

let test: TestCore;
let service: Service;
let dataDir: string;
let dns: TestDns;
let collector: Collector;
/** What the receiver of the webhook got */
const deliveries: IncomingHttpHeaders[] = [];
const receiver = createServer((request, response) => {
  deliveries.push(request.headers);
  request.resume();
  response.end();
});
/** All that users entered or got */
let entered: string[];
let lines: Record<string, unknown>[];

beforeAll(async () => {
  [test, dataDir, dns, collector] = await Promise.all([
    createTestCore(),
    newDataDir(),
    startDns(),
    startCollector(),
  ]);
  dns.set("A", "hooks.example.net", "127.0.0.1");
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  service = await startService(dataDir, {
    env: {
      DATABASE_URL: test.databaseUrl,
      DNS_SERVERS: dns.address,
      OUTBOUND_NETWORKS: "127.0.0.0/8",
      TRUSTED_PROXIES: "127.0.0.1",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20collector-password",
      OTEL_SERVICE_NAME: "short-links",
      NODE_OPTIONS: tellingOfOpenTelemetry,
    },
    fromSources: true,
  });
  const key = await ownerKey(dataDir);
  const post = async (path: string, body: object) => {
    const response = await fetch(`${service.api}/v1${path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "X-Forwarded-For": visitor,
        traceparent: `00-${trace}-${caller}-01`,
      },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: { shortUrl: string; secret: string } }).data;
  };
  const { port } = receiver.address() as AddressInfo;
  const { secret } = await post("/webhooks", {
    url: `http://hooks.example.net:${port}/hook-path`,
    events: ["link.created"],
  });
  const link = await post("/links", { url: destination, slug: "private-slug", title: "A private title" });
  expect(await follow(link.shortUrl)).toBe(destination);
  await post("/links", { url: "no-url" });
  await until(() => deliveries.length > 0);
  expect(await service.stop("SIGTERM")).toBe(0);
  entered = ["private-slug", "destination.example", "secret-path", "private title", key, secret, "no-url"];
  entered.push(visitor, "hooks.example.net", "hook-path", "owner@terse.local", "collector-password");
  lines = service.output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}, 60_000);
afterAll(async () => {
  receiver.close();
  await Promise.all([test.close(), dns.close(), collector.close(), remove(dataDir)]);
});

describe("traces and logs of a service with a collector", () => {
  const named = (name: string) => collector.spans().filter((span) => span.name === name);
  const within = ({ spanId }: CollectedSpan) =>
    collector.spans().filter(({ parentSpanId }) => parentSpanId === spanId);

  it("show a request within its caller's trace, with the operation and its statements", () => {
    const [created] = named("POST /v1/links") as [CollectedSpan];
    expect(created).toMatchObject({ traceId: trace, parentSpanId: caller, isError: false });
    expect(created.service).toBe("short-links");
    expect(created.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/v1/links",
      "http.response.status_code": 201,
    });
    const operation = within(created).find(({ name }) => name === "links.create") as CollectedSpan;
    expect(operation.attributes).toEqual({ "terse.result": "ok" });
    const statements = within(operation).filter(
      ({ attributes }) => attributes["db.system.name"] === "postgresql",
    );
    expect(statements.map(({ name }) => name)).toContain("insert-link");
  });

  it("need modules of OpenTelemetry, which are loaded", () => {
    expect(service.output.stderr).toContain("opentelemetry");
  });

  it("show a refused operation, which is no error", () => {
    const refused = named("links.create").filter(
      ({ attributes }) => attributes["terse.result"] === "refused",
    );
    expect(refused).toMatchObject([{ isError: false }]);
  });

  it("show a redirect by its route, and the batch that counts its click", () => {
    const [redirect] = named("GET /{slug}") as [CollectedSpan];
    expect(redirect.attributes["http.response.status_code"]).toBe(302);
    const counted = named("clicks.count").find(({ attributes }) => attributes["terse.clicks"] === 1);
    expect(within(counted as CollectedSpan).length).toBeGreaterThan(0);
  });

  it("show a delivery to a webhook, whose receiver can continue the trace", () => {
    const [delivery] = named("webhooks.deliver") as [CollectedSpan];
    expect(deliveries[0]?.traceparent).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
    expect(within(delivery).map(({ name }) => name)).toContain("dns A");
  });

  it("give each line of the log the span that it belongs to", () => {
    const [created] = named("POST /v1/links") as [CollectedSpan];
    const line = lines.find(({ route, status }) => route === "/v1/links" && status === 201);
    expect(line).toMatchObject({ trace_id: created.traceId, span_id: created.spanId });
    const record = collector.logs().find(({ attributes }) => attributes.status === 201);
    expect(record).toMatchObject({ body: "request", severity: "info", traceId: trace });
    expect(lines.find(({ code }) => code === "stopping")).not.toHaveProperty("trace_id");
  });

  it("contain nothing that users entered or got", () => {
    const sent = collector.requests.map(({ body }) => body.toString()).join("\n");
    expect(sent).toContain("links.create");
    expect(entered.filter((text) => sent.includes(text))).toEqual([]);
    const fields = collector.requests.map(({ headers }) => headers.authorization);
    expect(new Set(fields)).toEqual(new Set(["Basic collector-password"]));
  });
});
