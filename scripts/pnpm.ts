import { spawnSync } from "node:child_process";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** The folder of the repository. */
export const root = join(import.meta.dirname, "..");

/**
 * Runs the pinned pnpm and returns its standard output.
 * @throws with its standard error if it fails
 */
export function pnpm(args: string[], folder = root): string {
  const npx = ["--loglevel=error", "-y", "--prefer-offline", manifest.packageManager];
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = spawnSync("npx", [...npx, ...args], options);
  if (status !== 0) throw new Error(`pnpm ${args.join(" ")} failed: ${stderr || stdout}`, { cause: error });
  return stdout;
}
