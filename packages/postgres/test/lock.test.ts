import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { withLock } from "../src/lock.ts";
import { isLive, newMark } from "../src/process-mark.ts";
import { temporaryFolder } from "./support.ts";

async function heldBy(mark: string): Promise<string> {
  const path = join(await temporaryFolder(), "lock");
  await mkdir(path);
  await writeFile(join(path, mark), "");
  return path;
}

test("a lock admits one at a time", async () => {
  const folder = await temporaryFolder();
  let inside = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, ++inside);
    await sleep(2);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(join(folder, "lock"), 10_000, task)));
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test("a lock is free again after an error", async () => {
  const path = join(await temporaryFolder(), "lock");
  await expect(withLock(path, 10_000, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock(path, 10_000, async () => "free")).toBe("free");
});

test("the lock of a dead process is taken over", async () => {
  const { pid } = spawnSync("true");
  const path = await heldBy(`${pid}.123.uuid`);
  expect(await withLock(path, 10_000, async () => "ours")).toBe("ours");
});

test("the lock of an earlier process with our pid is taken over", async () => {
  const path = await heldBy(`${process.pid}.123.uuid`);
  expect(await withLock(path, 10_000, async () => "ours")).toBe("ours");
});

test("waiting for a live holder ends with an error that names it", async () => {
  const path = await heldBy(newMark());
  await expect(withLock(path, 100, async () => {})).rejects.toThrow(`Process ${process.pid} has been`);
  expect(await readdir(path)).toHaveLength(1);
});

test("a mark is live while its process runs; other names never are", () => {
  expect(isLive(newMark())).toBe(true);
  expect(["", "x", "1", ".DS_Store", "12x.1.1"].map(isLive)).toEqual([false, false, false, false, false]);
});
