import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

it("npm run release raises versions, writes the changelog and releases the description of the REST API", () => {
  const folder = mkdtempSync(join(tmpdir(), "terse-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const write = (path: string, value: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), value);
  };
  const manifest = (path: string, content: object) => write(path, `${JSON.stringify(content, null, 2)}\n`);
  const versionOf = (path: string) => JSON.parse(read(path)).version;
  cpSync(join(root, ".changeset/config.json"), join(folder, ".changeset/config.json"), { recursive: true });
  write("pnpm-workspace.yaml", "packages: [packages/*, apps/*]\n");
  manifest("package.json", { name: "terse", version: "0.1.0", private: true });
  manifest("packages/core/package.json", { name: "@terse/core", version: "0.1.0" });
  manifest("packages/postgres/package.json", { name: "@terse/postgres", version: "0.1.0" });
  manifest("apps/mcp/package.json", { name: "@terse/mcp-server", version: "0.1.0", private: true });
  write("docs/openapi.released.json", "{}");
  write("docs/openapi.json", '{"openapi":"3.1.0"}');
  write(".changeset/quick-owls-jump.md", '---\n"@terse/core": minor\n---\n\nLinks have tags.\n');

  execFileSync(process.execPath, [join(root, "scripts/release.ts"), folder], { stdio: "pipe" });

  expect(read("packages/core/CHANGELOG.md")).toMatch(
    /^# @terse\/core\n\n## 0\.2\.0\n[^]*- Links have tags\.\n$/,
  );
  expect(["package.json", "packages/core/package.json", "apps/mcp/package.json"].map(versionOf)).toEqual(
    Array(3).fill("0.2.0"),
  );
  expect(versionOf("packages/postgres/package.json")).toBe("0.1.0");
  expect(read("docs/openapi.released.json")).toBe(read("docs/openapi.json"));
  expect(readdirSync(join(folder, ".changeset"))).toEqual(["config.json"]);
});
