import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const program = `const { loadConsole } = await import("@terse/console"); await loadConsole();`;

// Begins when Vitest loads this, while PostgreSQL starts.
const built = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
  cwd: root,
});

/** Vitest's global setup where services start: the console is built once, not by each of those that start first. */
export default async function setup(): Promise<void> {
  await built;
}
