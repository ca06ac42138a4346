import { lstat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { setting } from "./databases.ts";
import { unless } from "./errors.ts";
import { checkReach, type Home } from "./home.ts";
import { hasOtherUsers } from "./leases.ts";
import { findPostmaster, hasEnded, isReady, type Postmaster, stopPostmaster } from "./postmaster.ts";
import { isRunning } from "./process-mark.ts";
import { superuser } from "./roles.ts";
import { openSocketFolder, removeSocket, socketFile, socketUrl } from "./socket.ts";
import { spawnPostmaster } from "./spawn.ts";

/** Long enough for a large database to recover after a crash. */
export const startTimeoutMs = 120_000;
/** Time to wait for remains of a previous server to go away. */
const retryMs = 10_000;
const busyMessage = /pre-existing shared memory block|lock file "[^"]+" already exists/;

export interface RunOptions {
  durable: boolean;
  onProgress: (message: string) => void;
}

export interface Running {
  socketFolder: string;
  adopted: boolean;
}

/**
 * Adopts or starts the home's server and waits until it accepts connections. The caller must hold the home's lock;
 * `lease` is the caller's own.
 */
export async function run(home: Home, lease: string, options: RunOptions): Promise<Running> {
  if (!(await findPostmaster(home))) checkReach(home);
  const binaries = await findBinaries(home.account, options.onProgress);
  await ensureCluster(home, binaries, options);
  for (const deadline = Date.now() + retryMs; ; ) {
    const running = await adopt(home, lease, options);
    if (running) return { socketFolder: running.socketFolder, adopted: true };
    const socketFolder = await openSocketFolder(home);
    try {
      await spawnPostmaster(home, binaries, {
        socketFolder,
        durable: options.durable,
        timeoutMs: startTimeoutMs,
      });
      return { socketFolder, adopted: false };
    } catch (error) {
      // Sessions of a killed server, or a server whose starter was killed: retry until they are gone or it can be adopted.
      const busy = error instanceof Error && busyMessage.test(error.message);
      if (!busy) await removeSocket(socketFolder);
      if (!busy || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Returns the running server once it is ready. One that is stopping or not usable is stopped. */
async function adopt(home: Home, lease: string, options: RunOptions): Promise<Postmaster | undefined> {
  const found = await findPostmaster(home);
  if (!found) return undefined;
  if (found.status === "stopping") {
    options.onProgress("Waiting for the running PostgreSQL to stop");
    if (!(await hasEnded(found.pid, retryMs))) await stopPostmaster(home);
    return undefined;
  }
  if (found.status !== "ready") options.onProgress("Waiting for the running PostgreSQL to become ready");
  if (!(await isReady(home, () => !isRunning(found.pid), startTimeoutMs))) return undefined;
  const ready = await findPostmaster(home);
  if (ready && (await isUsable(ready, home, lease, options.durable))) return ready;
  await stopPostmaster(home);
  return undefined;
}

/** False for a server that must be restarted: its socket is gone, or it lacks the requested durability. */
async function isUsable(server: Postmaster, home: Home, lease: string, durable: boolean): Promise<boolean> {
  if (!(await unless(lstat(socketFile(server.socketFolder)), "ENOENT"))) return false;
  if (!durable || (await setting(socketUrl(server.socketFolder, "postgres", superuser), "fsync")) === "on")
    return true;
  if (!(await hasOtherUsers(home.leases, lease))) return false;
  throw new Error(`The PostgreSQL in ${home.path} runs without durability: stop its other users first.`);
}
