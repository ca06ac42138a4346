import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unannounced, unreleased } from "./openapi/changelog.ts";
import { changesBetween } from "./openapi/changes.ts";

/**
 * Compares docs/openapi.json with docs/openapi.released.json, the description at the last release, and fails on a
 * breaking change that CHANGELOG.md does not announce. Before the first release nothing can break. Usage: node scripts/openapi-diff.ts [folder of the repository]
 */

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

const released = "docs/openapi.released.json";
const changes = existsSync(join(root, released))
  ? changesBetween(readJson(released), readJson("docs/openapi.json"))
  : [];
for (const { operation, what } of changes) console.log(`${operation}: ${what}`);

const missing = unannounced(changes, unreleased(read("CHANGELOG.md")).breaking);
if (missing.length > 0) {
  const operations = [...new Set(missing.map(({ operation }) => operation))];
  console.error(`
The REST API breaks clients of the last release, and CHANGELOG.md does not say so. Undo the change, or name each operation there:

## Unreleased

### Breaking

${operations.map((operation) => `- \`${operation}\`: what changes for callers`).join("\n")}`);
  process.exit(1);
}
