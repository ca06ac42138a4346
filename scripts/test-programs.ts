import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

/** Names the build in the environment of the tests. */
const variable = "TERSE_TEST_BUILD";

/**
 * Vitest's global setup where the service is started: tests start it from a build, which loads in half the time of the
 * sources. While watching, they start it from the sources, which change.
 */
export default async function setup({ vitest }: TestProject) {
  if (vitest.config.watch || process.env[variable]) return undefined;
  const folder = await buildService();
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

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
