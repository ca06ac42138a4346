import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unless } from "./errors.ts";
import { isLive, newMark } from "./process-mark.ts";

/**
 * Creates an empty folder `<purpose>-<mark>` in `parent`, to be renamed when its content is complete; removes those left
 * by dead processes.
 */
export async function makeUnfinished(parent: string, purpose: string): Promise<string> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${purpose}-`) || isLive(name.slice(purpose.length + 1))) continue;
    // A child of its creator may still be writing there; then it is removed next time.
    await unless(rm(join(parent, name), { recursive: true, force: true }), "ENOTEMPTY");
  }
  const folder = join(parent, `${purpose}-${newMark()}`);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}
