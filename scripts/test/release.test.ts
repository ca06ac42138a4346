import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const manifests = ["package.json", "lab/package.json", "packages/core/package.json", "apps/mcp/package.json"];
let folder: string;
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const write = (path: string, value: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), value);
};
const release = (version: string) =>
  spawnSync(process.execPath, [join(root, "scripts/release.ts"), version, folder], { encoding: "utf8" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "terse-release-"));
  for (const path of manifests) write(path, '{ "name": "terse", "version": "0.1.0" }\n');
  for (const path of ["deploy/Containerfile", "deploy/helm/terse/Chart.yaml"])
    write(path, readFileSync(join(root, path), "utf8"));
  write("docs/openapi.json", '{"openapi":"3.1.0"}');
  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Breaking\n\n- Links have tags.\n\n## 0.1.0\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["no version", "next", /Usage/],
  ["a version that may not break clients", "0.1.1", /breaking/],
])("refuses %s, and changes nothing", (_, version, message) => {
  const before = read("package.json");
  expect(release(version)).toMatchObject({ status: 1, stderr: expect.stringMatching(message) });
  expect(read("package.json")).toBe(before);
});

it("gives everything the version, dates the changelog and releases the description of the REST API", () => {
  expect(release("0.2.0")).toMatchObject({ status: 0, stderr: "" });
  for (const path of manifests) expect(JSON.parse(read(path))).toMatchObject({ version: "0.2.0" });
  expect(read("deploy/Containerfile")).toContain("ARG VERSION=0.2.0\n");
  expect(read("deploy/helm/terse/Chart.yaml")).toContain('version: 0.2.0\nappVersion: "0.2.0"\n');
  expect(read("CHANGELOG.md")).toMatch(/^# Changelog\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Breaking\n/);
  expect(read("docs/openapi.released.json")).toBe(read("docs/openapi.json"));
  expect(release("0.3.0")).toMatchObject({ status: 1, stderr: expect.stringContaining("Unreleased") });
});
