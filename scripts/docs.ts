import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolsTable } from "@terse/mcp";
import { settingsTable } from "@terse/server";

/**
 * Writes the generated parts of the documents, each between two marks such as `<!-- settings -->` and
 * `<!-- /settings -->`. With --check nothing is written and a part that has drifted fails.
 */

const root = join(import.meta.dirname, "..");
const parts: { file: string; mark: string; text: () => string }[] = [
  { file: "README.md", mark: "settings", text: settingsTable },
  { file: "docs/MCP.md", mark: "tools", text: toolsTable },
];

const check = process.argv.includes("--check");
for (const { file, mark, text } of parts) {
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const pattern = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
  if (!pattern.test(before)) throw new Error(`${file} has no <!-- ${mark} --> … <!-- /${mark} -->`);
  const after = before.replace(
    pattern,
    (_, open: string, close: string) => `${open}\n${text().trim()}\n\n${close}`,
  );
  if (after === before) continue;
  if (check) {
    console.error(`${file}: the part "${mark}" is not what the code says; run: node scripts/docs.ts`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, after);
    console.log(`${file}: "${mark}" written`);
  }
}
