import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLive, newMark } from "./process-mark.ts";

/** Notes, as one file in `folder`, that this process uses the server; returns the file's path. */
export async function takeLease(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const lease = join(folder, newMark());
  await writeFile(lease, "");
  return lease;
}

/** Gives a lease back. Resolves to true when no other live process or caller holds one. */
export async function leaveLease(folder: string, lease: string): Promise<boolean> {
  await rm(lease, { force: true });
  let last = true;
  for (const mark of await readdir(folder)) {
    if (isLive(mark)) last = false;
    else await rm(join(folder, mark), { force: true });
  }
  return last;
}
