import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missingPrograms } from "../cluster/programs.ts";

const root = join(import.meta.dirname, "../..");
const missing = missingPrograms();

const cluster = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "lab/cluster/main.ts"), ...args], { encoding: "utf8" });

describe("the trials of a cluster", () => {
  it("refuses a fault that it does not know, before it starts anything", () => {
    const { status, stdout, stderr } = cluster("--only", "kill-node,kill-everything");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^There is no fault kill-everything\n/);
  });

  it.skipIf(missing.length > 0)(
    `counts each click once when a node is killed${missing.length > 0 ? ` (left out: no ${missing.join(", ")})` : ""}`,
    { tags: ["long"], timeout: 600_000 },
    () => {
      const { status, stdout, stderr } = cluster("--only", "kill-node", "--json");
      expect(status, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject([
        { cached: { failed: 0 }, lostClicks: 0, lostLinks: 0, doubled: 0 },
      ]);
    },
  );
});
