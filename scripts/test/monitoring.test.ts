import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { metricTable } from "@terse/core";
import { expect, it } from "vitest";
import { isMissing } from "../../packages/testkit/src/index.ts";
import { root } from "../pnpm.ts";

const folder = join(root, "deploy");
const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** What a scrape has besides our metrics */
const others = new Set(["up"]);

it.each(["grafana-dashboard.json", "prometheus-alerts.yaml", "prometheus-alerts.test.yaml"])(
  "%s names metrics that exist",
  (file) => {
    const names = new Set(read(file).match(/\b(?:terse|process|nodejs)_[a-z_]+\b/g));
    const known = new Set(
      Object.entries<{ type: string }>(metricTable).flatMap(([name, { type }]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    expect([...names].filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(5);
  },
);

it.skipIf(isMissing("promtool"))("each fault raises its alert, and a healthy service raises none", () => {
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "prometheus-alerts.test.yaml"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stdout + stderr).toContain("SUCCESS");
  expect(status).toBe(0);
});

it("every alert is tested", () => {
  const alerts = Array.from(
    read("prometheus-alerts.yaml").matchAll(/- alert: (\w+)/g),
    ([, name = ""]) => name,
  );
  const raised = Array.from(
    read("prometheus-alerts.test.yaml").matchAll(/alertname: (\w+)\n +exp_alerts:/g),
    ([, name = ""]) => name,
  );
  expect(new Set(raised)).toEqual(new Set(alerts));
});
