import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** After this time a lock is that of a process that died: no work that is done under one takes half as long. */
const lifetime = 60_000;

/** Does something while no other process does something under the same name, which is that of a file. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  while (!take(file)) await sleep(50);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    removeAbandoned(file);
    return false;
  }
}

/** Of several processes that find the same abandoned lock, one moves it away; then they all try to take a new one. */
function removeAbandoned(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    const { mtimeMs } = statSync(file);
    if (Date.now() - mtimeMs < lifetime) return;
    renameSync(file, aside);
    // The moved lock is another one if a process has replaced the abandoned lock in the meantime.
    if (statSync(aside).mtimeMs !== mtimeMs) linkSync(aside, file);
    rmSync(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
