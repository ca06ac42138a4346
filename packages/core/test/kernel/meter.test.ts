import { expect, it } from "vitest";
import { combineMetrics, createMeter } from "../../src/kernel/meter.ts";
import { metricTable } from "../../src/kernel/metrics.ts";

it("the metrics of several processes are summed, or the largest or smallest is taken", () => {
  const process = (redirects: number, open: number, delay: number) => {
    const meter = createMeter();
    meter.counter("terse_redirects_total", { outcome: "redirect" }).value += redirects;
    meter.read("terse_purge_channel_open", () => open);
    meter.read("terse_click_backlog_seconds", () => delay);
    meter.read("terse_database_waiting", () => null);
    meter.histogram("terse_redirect_duration_seconds").observe(0.0002);
    return meter.collect();
  };
  const combined = combineMetrics([...process(2, 1, 7), ...process(3, 0, 5)]);
  const values = Object.fromEntries(combined.map(({ name, samples }) => [name, samples]));
  expect(values).toMatchObject({
    terse_redirects_total: [{ labels: { outcome: "redirect" }, value: 5 }],
    terse_purge_channel_open: [{ value: 0 }],
    terse_click_backlog_seconds: [{ value: 7 }],
  });
  expect(values["terse_database_waiting"]).toBeUndefined();
  const { samples = [] } = combined.find(({ name }) => name === "terse_redirect_duration_seconds") ?? {};
  const bucket = (le: string) => samples.find(({ labels }) => labels["le"] === le)?.value;
  expect([bucket("0.0001"), bucket("0.00025"), bucket("+Inf")]).toEqual([0, 2, 2]);
  expect(samples.slice(-2)).toMatchObject([
    { part: "_sum", value: 0.0004 },
    { part: "_count", value: 2 },
  ]);
});

it("names of metrics say their unit, and counters end with _total", () => {
  for (const [name, { type }] of Object.entries(metricTable)) {
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    if (type === "histogram") expect(name).toMatch(/_seconds$/);
  }
});
