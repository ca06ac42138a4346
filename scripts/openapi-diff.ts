import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changesBetween } from "./openapi/changes.ts";
import { breakingBump, parseChangeset, unannounced } from "./openapi/changesets.ts";

/**
 * Compares docs/openapi.json with docs/openapi.released.json, the description at the last release, and fails on a
 * breaking change that no changeset announces. Usage: node scripts/openapi-diff.ts [folder of the repository]
 */

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

const changes = changesBetween(readJson("docs/openapi.released.json"), readJson("docs/openapi.json"));
const changesets = readdirSync(join(root, ".changeset"))
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => parseChangeset(read(".changeset", file)));
const version = String(readJson("packages/core/package.json")["version"]);

for (const { severity, operation, what } of changes) console.log(`${severity}: ${operation}: ${what}`);

const missing = unannounced(changes, changesets, version);
if (missing.length > 0) {
  const operations = [...new Set(missing.map(({ operation }) => operation))];
  console.error(`
The REST API breaks clients of the last release and no changeset announces it. Undo the change, or add a file to
.changeset that names each operation:

---
"@terse/core": ${breakingBump(version)}
---

Breaking: what changes for callers of

${operations.map((operation) => `- ${operation}`).join("\n")}`);
  process.exit(1);
}
