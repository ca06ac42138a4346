import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTestFolder } from "./test-folder.ts";
import setup from "./test-setup.ts";

/**
 * `npm test`: all tests except those tagged `long`, with their data in a temporary folder unless DATA_DIR names one.
 * Arguments are passed to Vitest; with `--watch`, it runs the tests nearest to each saved file.
 */

const root = join(import.meta.dirname, "..");
const folder = process.env.DATA_DIR ? undefined : createTestFolder();
if (folder) process.env.DATA_DIR = folder;
// While watching, PostgreSQL is ready before the first file is saved, and runs until the end.
const isWatching = process.argv.includes("--watch");
const stop = isWatching ? await setup() : undefined;

// Tests, and the programs that they start, load quicker.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/node");

const args = process.argv.slice(2).filter((arg) => arg !== "--watch");
const config = args.includes("--config") ? [] : ["--config", "vitest.workspace.ts"];
const mode = isWatching ? ["watch", "--standalone"] : ["run"];
const child = spawn("vitest", [...mode, ...config, "--tags-filter=!long", ...args], {
  cwd: root,
  stdio: "inherit",
});
// Vitest stops PostgreSQL before it ends. The terminal sends it Ctrl-C as well, and a second one would cut that short.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, "exit")) as [code: number | null];
process.exitCode = code ?? 1;
await stop?.();
if (folder) rmSync(folder, { recursive: true, force: true });
