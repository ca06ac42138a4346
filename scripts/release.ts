import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `npm run release`: turns the files of .changeset into versions and changelogs. Private packages get the version of
 * @terse/core, and later changes of the REST API are compared with today's. Usage: node scripts/release.ts [folder]
 */

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const changeset = join(import.meta.dirname, "../node_modules/.bin/changeset");
const { status } = spawnSync(changeset, ["version"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version } = JSON.parse(read("packages/core/package.json"));
for (const path of globSync(["package.json", "lab/package.json", "{apps,packages}/*/package.json"], {
  cwd: root,
})) {
  if (!JSON.parse(read(path)).private) continue;
  writeFileSync(join(root, path), read(path).replace(/("version": ")[^"]*/, `$1${version}`));
}

copyFileSync(join(root, "docs/openapi.json"), join(root, "docs/openapi.released.json"));
