import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** `npm run verify`: all checks that need no running service. Quick, and offline. */

const root = join(import.meta.dirname, "..");

const steps: [name: string, command: string, ...args: string[]][] = [
  ["format", "biome", "format", "."],
  ["lint and import boundaries", "oxlint", "--type-aware", "--quiet"],
  ["types", "tsc", "--noEmit", "-p", "."],
  ["types of the console", "tsc", "--noEmit", "-p", "apps/console"],
  ["generated documents", "node", "scripts/docs.ts", "--check"],
  ["API compatibility", "node", "scripts/openapi-diff.ts"],
  ["licences of dependencies", "node", "scripts/licenses.ts"],
  ["pure rules", "vitest", "run", "--config", "vitest.workspace.ts", "--project", "pure"],
];

for (const [name, command, ...args] of steps) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (status !== 0) {
    console.error(`${stdout}${stderr}\n${[command, ...args].join(" ")} failed`);
    process.exit(1);
  }
}
