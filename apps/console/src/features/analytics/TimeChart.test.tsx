import { expect, onTestFinished, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "../../kit/testing/render.tsx";
import "./chart.css";
import { TimeChart } from "./TimeChart.tsx";

test.each(["hour", "day", "month"] as const)(
  "no %s is written over another on a phone",
  async (granularity) => {
    const { innerWidth, innerHeight } = window;
    await page.viewport(360, 780);
    onTestFinished(() => page.viewport(innerWidth, innerHeight));
    const step = { hour: 3_600_000, day: 86_400_000, month: 31 * 86_400_000 }[granularity];
    const starts = Array.from({ length: 25 }, (_, at) =>
      new Date(Date.UTC(2026, 0, 1) + at * step).toISOString(),
    );
    const lines = [{ name: "Clicks", values: starts.map((_, at) => at), shape: 0 }];
    await render(
      <TimeChart label="Clicks" granularity={granularity} timezone="UTC" starts={starts} lines={lines} />,
    );
    const labels = () =>
      [...document.querySelectorAll(".tick")]
        .map((label) => label.getBoundingClientRect())
        .toSorted((one, other) => one.left - other.left);
    await expect.poll(() => labels().length).toBeGreaterThan(1);
    for (const [at, { left, right }] of labels().entries()) {
      expect(left).toBeGreaterThan(labels()[at - 1]?.right ?? 0);
      expect(right).toBeLessThanOrEqual(360);
    }
  },
);
