import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mayBreak, unreleased } from "./openapi/changelog.ts";

/**
 * `npm run release -- VERSION`: gives everything this version, and the part "Unreleased" of CHANGELOG.md too; later changes of the
 * REST API are compared with today's. Commit and tag it; the workflow `release` publishes the tag.
 * Usage: node scripts/release.ts VERSION [folder]
 */

const [version = "", root = join(import.meta.dirname, "..")] = process.argv.slice(2);
const read = (path: string) => readFileSync(join(root, path), "utf8");
const change = (path: string, pattern: RegExp, value: string) => {
  if (!pattern.test(read(path))) throw new Error(`${path} has no version`);
  writeFileSync(join(root, path), read(path).replace(pattern, value));
};
const refuse = (reason: string): never => {
  console.error(reason);
  return process.exit(1);
};

if (!/^\d+\.\d+\.\d+$/.test(version)) refuse("Usage: npm run release -- VERSION, such as 0.2.0");
const { text, breaking } = unreleased(read("CHANGELOG.md"));
if (text === "") refuse("CHANGELOG.md has nothing under Unreleased");
const { version: current } = JSON.parse(read("package.json")) as { version: string };
if (breaking !== "" && !mayBreak(current, version))
  refuse(`CHANGELOG.md has breaking changes, which ${version} must not have after ${current}`);

for (const path of globSync("{.,lab,apps/*,packages/*}/package.json", { cwd: root }))
  change(path, /("version": ")[^"]*/, `$1${version}`);
change("deploy/Containerfile", /(ARG VERSION=).*/, `$1${version}`);
change(
  "deploy/helm/terse/Chart.yaml",
  /^version: .*\nappVersion: .*/m,
  `version: ${version}\nappVersion: "${version}"`,
);
const day = new Date().toISOString().slice(0, 10);
change("CHANGELOG.md", /^## Unreleased$/m, `## ${version} (${day})`);
copyFileSync(join(root, "docs/openapi.json"), join(root, "docs/openapi.released.json"));
