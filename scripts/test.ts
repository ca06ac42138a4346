import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createTestFolder } from "./test-folder.ts";

/**
 * `npm test`: all tests but those tagged `long`, on data that is deleted afterwards unless DATA_DIR says where to keep it.
 * Arguments go to Vitest. `npm run test:watch` is the same with `--watch`.
 */

const root = join(import.meta.dirname, "..");
const folder = process.env.DATA_DIR ? undefined : createTestFolder();
const child = spawn(
  "vitest",
  ["--config", "vitest.workspace.ts", "--tags-filter=!long", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit", env: { ...process.env, ...(folder && { DATA_DIR: folder }) } },
);
// Vitest stops PostgreSQL before it ends. Ctrl-C reaches it without help, and a second one would cut that short.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
