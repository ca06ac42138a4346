import { chmodSync, mkdtempSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const minRoomBytes = 2 * 1024 ** 3;

/**
 * Creates a folder for the data of one test run; the caller deletes it. It is in memory where possible: the tests create
 * and drop hundreds of databases of 300 files each.
 */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(memoryIsUsable() ? memory : tmpdir(), "terse-tests-"));
  chmodSync(folder, 0o755); // PostgreSQL's own user enters it.
  return folder;
}

/** True on Linux where there is room in memory and programs may run from there, which containers often forbid. */
function memoryIsUsable(): boolean {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const [, , , options = "noexec"] = mounts.find((line) => line.split(" ")[1] === memory)?.split(" ") ?? [];
    const { bavail, bsize } = statfsSync(memory);
    return !options.split(",").includes("noexec") && bavail * bsize >= minRoomBytes;
  } catch {
    return false;
  }
}
