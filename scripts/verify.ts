import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** `npm run verify`: all checks that need no running service. Quick, and offline. */

const root = join(import.meta.dirname, "..");

const steps: [name: string, command: string, ...args: string[]][] = [
  ["types, lint and import boundaries", "oxlint", "--type-aware", "--type-check", "--quiet"],
  ["format", "biome", "format", "."],
  ["generated documents", "node", "scripts/docs.ts", "--check"],
  ["API compatibility", "node", "scripts/openapi-diff.ts"],
  ["licences of dependencies", "node", "scripts/licenses.ts"],
  ["pure rules", "vitest", "run", "--config", "vitest.workspace.ts", "--project", "pure"],
];

/** Runs a step; its failure starts no further one. */
async function run([name, command, ...args]: (typeof steps)[number]): Promise<void> {
  const started = performance.now();
  const child = spawn(command, args, { cwd: root });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (status === 0) return;
  console.error(`${output}\n${[command, ...args].join(" ")} failed`);
  process.exitCode = 1;
}

// Two at once: the first takes as long as all others together.
const waiting = steps.values();
const work = async () => {
  for (const step of waiting) {
    await run(step);
    if (process.exitCode) return;
  }
};
await Promise.all([work(), work()]);
