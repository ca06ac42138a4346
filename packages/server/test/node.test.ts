import { createMeter, type Check } from "@terse/core/redirect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { listen, type Listener } from "../src/listen.ts";
import { createLogger } from "../src/log.ts";
import { adminHost, serveAdmin } from "../src/node/admin.ts";
import { createNode } from "../src/node/node.ts";
import { createProbes } from "../src/node/probes.ts";
import { createProcessMetrics, reportStalls } from "../src/node/process-metrics.ts";
import { until } from "@terse/testkit";

const node = createNode();
const meter = createMeter();
let database: Check = { ok: true, detail: "the database answers" };
node.add({ checks: () => ({ database }), metrics: () => meter.collect() });
node.add({ checks: () => ({ clock: { ok: true, detail: "the clocks agree" } }), metrics: () => [] });
node.opened();
const written: string[] = [];
const logger = createLogger({ level: "debug", destination: { write: (line) => void written.push(line) } });
const listeners: Listener[] = [];
const [open, admin] = ["public", "admin"].map((_, at) => () => listeners[at]?.url ?? "");

beforeAll(async () => {
  const app = { fetch: () => new Response("app") };
  const probes = createProbes(node, logger);
  listeners.push(
    await listen({ name: "public", app, probes, host: "127.0.0.1", port: 0, portSetting: "HTTP_PORT" }),
    await serveAdmin({
      settings: { HOST: "127.0.0.1", ADMIN_HOST: null, ADMIN_PORT: 0 },
      node,
      logger: createLogger({ level: "silent" }),
    }),
  );
});
afterAll(() => Promise.all(listeners.map((listener) => listener.close(0))));

const ask = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
};

describe("the probes of a listener", () => {
  it("answer in the order of their checks, without a cache, and log at level debug", async () => {
    const { status, headers, body } = await ask(`${open?.()}/readyz?verbose`, {
      headers: { "X-Request-Id": "probe-1" },
    });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toBe("probe-1");
    expect(JSON.parse(body)).toEqual({
      status: "ok",
      checks: {
        database: { ok: true, detail: "the database answers" },
        clock: { ok: true, detail: "the clocks agree" },
      },
    });
    expect(written.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "debug", path: "/readyz", status: 200, msg: "health probe" }),
    );
  });

  it("tell strangers what fails, and operators why", async () => {
    database = { ok: false, detail: "the database does not answer", reason: "connect ECONNREFUSED 10.0.0.1" };
    const stranger = await ask(`${open?.()}/readyz`);
    const operator = await ask(`${admin?.()}/readyz`);
    expect([stranger.status, operator.status]).toEqual([503, 503]);
    expect(JSON.parse(stranger.body)).toMatchObject({
      status: "unavailable",
      checks: { database: { ok: false, detail: "the database does not answer" } },
    });
    expect(stranger.body).not.toContain("10.0.0.1");
    expect(operator.body).toContain("the database does not answer: connect ECONNREFUSED 10.0.0.1");
    expect((await ask(`${open?.()}/livez`)).body).toBe('{"status":"ok","checks":{}}');
    database = { ok: true, detail: "the database answers" };
  });

  it("leave other paths to the app, and refuse other methods", async () => {
    for (const path of ["/readyz/", "/livezz", "/"])
      expect((await ask(`${open?.()}${path}`)).body).toBe("app");
    const refused = await ask(`${open?.()}/livez`, { method: "POST" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await ask(`${open?.()}/readyz`, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });
});

describe("the listener for operators", () => {
  it("serves OpenMetrics", async () => {
    meter.counter("terse_redirects_total", { outcome: "redirect" }).value += 3;
    meter.histogram("terse_redirect_duration_seconds").observe(0.0002);
    const { headers, body } = await ask(`${admin?.()}/metrics`);
    expect(headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(body).toContain('# TYPE terse_redirects counter\nterse_redirects_total{outcome="redirect"} 3\n');
    expect(body).toContain('terse_redirect_duration_seconds_bucket{le="0.00025"} 1\n');
    expect(body).toContain('terse_ready{check="clock"} 1\n');
    expect(body.endsWith("\n# EOF\n")).toBe(true);
  });

  it("serves nothing else", async () => {
    expect((await ask(`${admin?.()}/v1/links`)).status).toBe(404);
    expect((await ask(`${admin?.()}/metrics`, { method: "POST" })).status).toBe(405);
  });

  it("listens on a loopback address unless it is told otherwise", () => {
    expect(adminHost({ HOST: "0.0.0.0", ADMIN_HOST: null })).toBe("127.0.0.1");
    expect(adminHost({ HOST: "127.0.1.2", ADMIN_HOST: null })).toBe("127.0.1.2");
    expect(adminHost({ HOST: "127.0.0.1", ADMIN_HOST: "10.0.0.1" })).toBe("10.0.0.1");
  });
});

it("a node that starts is not ready until what it serves can be reached", () => {
  const other = createNode();
  other.add({ checks: () => ({ database: { ok: true, detail: "fine" } }), metrics: () => [] });
  expect(other.ready("anybody")).toMatchObject({
    status: "unavailable",
    checks: { starting: { ok: false, detail: "the node is starting" } },
  });
  other.opened();
  expect(other.ready("anybody")).toEqual({
    status: "ok",
    checks: { database: { ok: true, detail: "fine" } },
  });
});

it("a node that stops is not ready, whatever its checks say", () => {
  const other = createNode();
  other.add({ checks: () => ({ database: { ok: true, detail: "fine" } }), metrics: () => [] });
  other.opened();
  expect(other.ready("anybody").status).toBe("ok");
  other.drain();
  expect(other.ready("anybody")).toMatchObject({
    status: "unavailable",
    checks: { stopping: { ok: false, detail: "the node is stopping" } },
  });
});

it("a delay of the event loop is shown to every scraper", async () => {
  const measure = createProcessMetrics();
  const longest = () =>
    measure()
      .find(({ name }) => name === "nodejs_eventloop_delay_seconds")
      ?.samples.find(({ labels }) => labels.percentile === "100")?.value ?? 0;
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  await until(() => {
    block();
    return longest() > 0.05;
  });
  expect(longest()).toBeGreaterThan(0.05);
});

it("a process that stood still says so, and for how long", async () => {
  const lines: string[] = [];
  const checking = reportStalls(
    createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } }),
    { stallMs: 200, checkMs: 10 },
  );
  onTestFinished(() => clearInterval(checking));
  const began = performance.now();
  while (performance.now() - began < 300);
  await until(() => lines.some((line) => line.includes("process_stalled")));
  const { level, code, ms } = JSON.parse(lines.find((line) => line.includes("process_stalled")) ?? "{}");
  expect({ level, code }).toEqual({ level: "warn", code: "process_stalled" });
  expect(ms).toBeGreaterThanOrEqual(200);
});
