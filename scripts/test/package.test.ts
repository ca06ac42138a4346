import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../pnpm.ts";

it("a package is not packed by npm, which would leave it without what it exports", () => {
  const packed = spawnSync("npm", ["pack", "--dry-run"], {
    cwd: join(root, "packages/client"),
    encoding: "utf8",
  });
  expect(packed.status).toBe(1);
  expect(packed.stderr).toContain("npm run pack -- NAME");
});
