import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTestFolder } from "./test-folder.ts";
import setup from "./test-setup.ts";

/**
 * `npm test`: all tests except those tagged `long`, with their data in a temporary folder unless DATA_DIR names one.
 * Arguments are passed to Vitest. `npm run test:watch` is the same with `watch`.
 */

const root = join(import.meta.dirname, "..");
const folder = process.env.DATA_DIR ? undefined : createTestFolder();
if (folder) process.env.DATA_DIR = folder;
// While watching, PostgreSQL is ready before the first file is saved, and runs until the end.
const stop = process.argv[2] === "watch" ? await setup() : undefined;

// Tests, and the programs that they start, load quicker.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/node");

const options = ["--config", "vitest.workspace.ts", "--tags-filter=!long"];
const child = spawn("vitest", [...options, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
// Vitest stops PostgreSQL before it ends. The terminal sends it Ctrl-C as well, and a second one would cut that short.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, "exit")) as [code: number | null];
process.exitCode = code ?? 1;
await stop?.();
if (folder) rmSync(folder, { recursive: true, force: true });
