import { expect, it } from "vitest";
import { createMeter, meterEvents } from "../../src/kernel/meter.ts";
import { coreEvent, type CoreEventCode, coreEvents } from "../../src/kernel/events.ts";

function measured() {
  const meter = createMeter();
  const note = meterEvents(meter);
  const valueOf = (name: string, code: string) =>
    meter
      .collect()
      .find((metric) => metric.name === name)
      ?.samples.find(({ labels }) => labels["code"] === code)?.value;
  return {
    happen: (code: CoreEventCode, details = {}) => note(coreEvent(code, details)),
    count: (code: CoreEventCode) => valueOf("terse_events_total", code),
    condition: (code: CoreEventCode) => valueOf("terse_condition", code),
  };
}

it("counts warnings and errors from zero, so that the first one is an increase", () => {
  const { happen, count } = measured();
  expect(count("clicks_counted_again")).toBe(0);
  happen("clicks_counted_again");
  expect(count("clicks_counted_again")).toBe(1);
});

it("knows whether a condition holds, also one that several things can have", () => {
  const { happen, condition } = measured();
  expect(condition("redis_lost")).toBe(0);
  happen("redis_lost");
  happen("host_list_failing", { list: "a" });
  happen("host_list_failing", { list: "b" });
  happen("redis_restored");
  happen("host_list_restored", { list: "a" });
  expect(condition("redis_lost")).toBe(0);
  expect(condition("host_list_failing")).toBe(1);
  happen("host_list_restored", { list: "b" });
  expect(condition("host_list_failing")).toBe(0);
});

it("has an end for whatever fails, is lost or is away", () => {
  const { condition } = measured();
  // An event that is of one moment, or that ends by itself.
  const moments = [
    "click_log_callback_failed",
    "click_lost",
    "fallback_lookup_failing",
    "job_failing",
    "domain_failed",
  ];
  const beginnings = (Object.keys(coreEvents) as CoreEventCode[]).filter((code) =>
    /_(?:failing|lost|away|failed)$/.test(code),
  );
  expect(beginnings.filter((code) => condition(code) === undefined).toSorted()).toEqual(moments.toSorted());
});
