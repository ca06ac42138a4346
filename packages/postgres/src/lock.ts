import { readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { succeeds, unless } from "./errors.ts";
import { isLive, newMark } from "./process-mark.ts";
import { makeUnfinished } from "./unfinished.ts";

/**
 * Runs `task` under a lock between all tasks of this and other processes. The lock is a folder at `path` with one file,
 * named by its owner's mark; the lock of a dead process is taken over.
 * @throws if a live holder keeps it for longer than `timeoutMs`
 */
export async function withLock<T>(path: string, timeoutMs: number, task: () => Promise<T>): Promise<T> {
  const mark = newMark();
  await acquire(path, mark, Date.now() + timeoutMs);
  try {
    return await task();
  } finally {
    await release(path, mark);
  }
}

// A folder can only be renamed onto an empty one, and a dead owner's file is removed by its unique name, so a lock that
// has meanwhile been taken by another process cannot be broken.
async function acquire(path: string, mark: string, deadline: number): Promise<void> {
  const prepared = await makeUnfinished(dirname(path), basename(path));
  await writeFile(join(prepared, mark), "");
  try {
    while (!(await succeeds(rename(prepared, path), "ENOTEMPTY", "EEXIST"))) {
      const owners = (await unless(readdir(path), "ENOENT")) ?? [];
      for (const owner of owners.filter((name) => !isLive(name)))
        await rm(join(path, owner), { force: true });
      if (Date.now() > deadline) {
        throw new Error(
          `Process ${owners[0]?.split(".")[0]} has been starting or stopping PostgreSQL for too long (${path}).`,
        );
      }
      await sleep(20);
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
}

async function release(path: string, mark: string): Promise<void> {
  await rm(join(path, mark), { force: true });
  // A waiting process may already have taken the empty folder.
  await unless(rmdir(path), "ENOENT", "ENOTEMPTY", "EEXIST");
}
