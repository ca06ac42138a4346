import { expect, it, onTestFinished } from "vitest";
import { backgroundLoop, type BackgroundTask } from "../../../src/kernel/async/background-loop.ts";
import { until } from "@terse/testkit";

/** Work that fails on demand, and what was reported of it. */
function started(failures: readonly (string | null)[], options: Partial<BackgroundTask> = {}) {
  const told: string[] = [];
  let round = 0;
  const { start, stop } = backgroundLoop({
    async runOnce() {
      const code = failures[Math.min(round++, failures.length - 1)];
      if (code) throw Object.assign(new Error(`Failure ${round}`), { code });
      return 1;
    },
    retryMs: 1,
    onFailure: (error) => void told.push((error as { code: string }).code),
    onRecovery: () => told.push("mended"),
    ...options,
  });
  onTestFinished(stop);
  start();
  start();
  return { told, rounds: () => round, stop };
}

it("reports each kind of failure once, and the recovery", async () => {
  const { told, rounds } = started([
    "EACCES",
    "EACCES",
    "ECONNREFUSED",
    "EACCES",
    null,
    null,
    "EACCES",
    null,
  ]);
  await until(() => rounds() > 8);
  expect(told).toEqual(["EACCES", "ECONNREFUSED", "mended", "EACCES", "mended"]);
});

it("reports a lasting failure repeatedly", async () => {
  const { told } = started(["EACCES"], { remindMs: 5 });
  await until(() => told.length > 2);
  expect(new Set(told)).toEqual(new Set(["EACCES"]));
});

it("does not start again after stop, which waits for the current run", async () => {
  let under = false;
  const { stop } = started([], {
    async runOnce() {
      under = true;
      await new Promise((resolve) => setTimeout(resolve, 20));
      under = false;
      return 0;
    },
  });
  await until(() => under);
  await stop();
  expect(under).toBe(false);
});
