import { execFile } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Runs `npm run build` into a new folder that every user can read, and returns its path. The caller deletes it.
 * @throws if the build fails or warns
 */
export async function buildService(): Promise<string> {
  const folder = await mkdtemp(join(process.env.DATA_DIR ?? tmpdir(), "terse-build-"));
  const script = join(import.meta.dirname, "build.ts");
  const { stderr } = await promisify(execFile)(process.execPath, [script, "--output", folder]);
  if (stderr !== "") throw new Error(stderr);
  await chmod(folder, 0o755);
  return folder;
}
