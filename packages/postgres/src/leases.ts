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

/** Gives a lease back; one that is gone already is no error. */
export async function leaveLease(lease: string): Promise<void> {
  await rm(lease, { force: true });
}

/** Whether a live user other than the holder of `lease` uses the server. Dead ones' leases are removed. */
export async function hasOtherUsers(folder: string, lease: string): Promise<boolean> {
  let others = false;
  for (const mark of await readdir(folder)) {
    if (!isLive(mark)) await rm(join(folder, mark), { force: true });
    else if (join(folder, mark) !== lease) others = true;
  }
  return others;
}
