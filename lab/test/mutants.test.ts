import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyFault } from "../mutants/apply-fault.ts";
import { faults } from "../mutants/faults.ts";

const root = join(import.meta.dirname, "../..");

it.each(faults)("can still be put into the code, and its tests exist: $name", (fault) => {
  const source = readFileSync(join(root, fault.file), "utf8");
  expect(applyFault(fault, source)).not.toBe(source);
  for (const file of fault.tests) expect(existsSync(join(root, file)), file).toBe(true);
});
