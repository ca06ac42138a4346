import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appRouter, createPlanTable } from "@terse/core";
import { openApiDocument, operationsOf } from "@terse/http";
import { toolsTable } from "@terse/mcp-server";
import { commandTable } from "../packages/cli/src/index.ts";
import { clientSource } from "./client/client-source.ts";

/**
 * Writes docs/openapi.json, the generated files of @terse/client, and the generated parts of other documents, each between two
 * marks such as `<!-- tools -->` and `<!-- /tools -->`. With --check nothing is written and a stale document fails.
 */

const root = join(import.meta.dirname, "..");
const parts: { file: string; mark: string; text: () => string }[] = [
  { file: "docs/assistants.md", mark: "tools", text: toolsTable },
  { file: "packages/cli/README.md", mark: "commands", text: commandTable },
  { file: "docs/adr/README.md", mark: "decisions", text: decisionList },
];

const check = process.argv.includes("--check");

/** Writes a document, or reports it as stale; `what` names the part that changed. */
function update(file: string, before: string, after: string, what: string): void {
  if (after === before) return;
  if (check) {
    console.error(`${file}: ${what} is stale; run: npm run docs`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, file), after);
    console.log(`${file}: ${what} written`);
  }
}

for (const { file, mark, text } of parts) {
  const before = readFileSync(join(root, file), "utf8");
  const pattern = new RegExp(`(<!-- ${mark} -->\n)[^]*?(<!-- /${mark} -->)`);
  if (!pattern.test(before)) throw new Error(`${file} has no <!-- ${mark} --> … <!-- /${mark} -->`);
  const after = before.replace(
    pattern,
    (_, open: string, close: string) => `${open}\n${text().trim()}\n\n${close}`,
  );
  update(file, before, after, `the part "${mark}"`);
}

const description = openApiDocument({ router: appRouter, plans: createPlanTable() }, "http://localhost:3000");
update(
  "docs/openapi.json",
  readFileSync(join(root, "docs/openapi.json"), "utf8"),
  `${JSON.stringify(description, null, 2)}\n`,
  "the description of the REST API",
);
for (const [file, source] of Object.entries(clientSource(operationsOf(appRouter), description)))
  update(
    file,
    existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "",
    source,
    "the client",
  );

function decisionList(): string {
  const folder = join(root, "docs/adr");
  const files = readdirSync(folder).filter((file) => /^\d/.test(file));
  return files
    .toSorted()
    .map((file) => {
      const [, number, title] = /^# (\d+)\. (.*)/.exec(readFileSync(join(folder, file), "utf8")) ?? [];
      return `- ${number}: [${title}](${file})`;
    })
    .join("\n");
}
