import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLive, newMark } from "./process-mark.ts";

/** Creates a file in `folder` that marks this process as a user of the server; returns the file's path. */
export async function takeLease(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const lease = join(folder, newMark());
  await writeFile(lease, "");
  return lease;
}

/** Releases a lease; does nothing if it is already gone. */
export async function releaseLease(lease: string): Promise<void> {
  await rm(lease, { force: true });
}

/** Whether a live user other than the holder of `lease` uses the server. Removes leases of dead processes. */
export async function hasOtherUsers(folder: string, lease: string): Promise<boolean> {
  let others = false;
  for (const mark of await readdir(folder)) {
    if (!isLive(mark)) await rm(join(folder, mark), { force: true });
    else if (join(folder, mark) !== lease) others = true;
  }
  return others;
}
