import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** Where `npm test` keeps its data, which is memory where possible. */
const dataOfRun = resolve(process.env.DATA_DIR ?? tmpdir());

/** Creates a folder that is deleted after the test. */
export async function tempFolder(parent = dataOfRun): Promise<string> {
  const folder = await mkdtemp(join(parent, "terse-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
