import { lstat } from "node:fs/promises";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { ensureDatabase, setting } from "./databases.ts";
import { unless } from "./errors.ts";
import { type Home, openHome } from "./home.ts";
import { leaveLease, takeLease } from "./leases.ts";
import { withLock } from "./lock.ts";
import {
  findPostmaster,
  hasEnded,
  isReady,
  type Postmaster,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { isRunning } from "./process-mark.ts";
import { openSocketFolder, socketFile, socketUrl } from "./socket.ts";

/** Long enough for a big database's recovery after a crash. */
const START_TIMEOUT_MS = 120_000;
/** How long a failed start is tried again, while a killed server's last sessions end. */
const RETRY_MS = 10_000;
const BUSY = /pre-existing shared memory block|lock file "[^"]+" already exists/;

export interface PostgresServer {
  /** libpq URL of the maintenance database, over the Unix socket: `postgresql://terse@%2Ffolder:5432/terse`. */
  readonly url: string;
  /** True when a server that was already running was adopted. */
  readonly adopted: boolean;
  /** For example `18.4`. */
  readonly version: string;
  /** Leaves; the last live user to leave stops the server, in 18 seconds at most. May be called again. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Folder of the data, made when missing. Everything lies in its folder `postgres`. */
  dataDir: string;
  /** Maintenance database, made when missing; default `terse`. */
  database?: string;
  /** False gives up safety against crashes of the machine for speed, as tests may; default true. */
  durable?: boolean;
  /** Told, in a sentence, of steps that take noticeable time. */
  onProgress?: (message: string) => void;
}

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that runs there already. Every call is one user of
 * the server, until its `stop()` or the end of its process; the server itself outlives a killed process.
 * @throws one sentence saying what to do, where it cannot run
 */
export async function startPostgres(options: StartOptions): Promise<PostgresServer> {
  const { database = "terse", durable = true, onProgress = () => {} } = options;
  const home = await openHome(options.dataDir);
  return withLock(home.lock, START_TIMEOUT_MS, async () => {
    const lease = await takeLease(home.leases);
    try {
      const { server, adopted } = await run(home, { durable, onProgress });
      const url = await ensureDatabase(socketUrl(server.socketFolder, "postgres"), database);
      if (durable && (await setting(url, "fsync")) === "off") {
        throw new Error(
          `The PostgreSQL in ${home.path} was started without durability: stop its other users first.`,
        );
      }
      const version = await setting(url, "server_version");
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= withLock(home.lock, START_TIMEOUT_MS, () => leave(home, lease)));
      return { url, adopted, version, stop };
    } catch (error) {
      await leave(home, lease);
      throw error;
    }
  });
}

async function leave(home: Home, lease: string): Promise<void> {
  if (await leaveLease(home.leases, lease)) await stopPostmaster(home);
}

interface RunOptions {
  durable: boolean;
  onProgress: (message: string) => void;
}

async function run(home: Home, options: RunOptions): Promise<{ server: Postmaster; adopted: boolean }> {
  const binaries = await findBinaries(home.account, options.onProgress);
  await ensureCluster(home, binaries, options);
  for (const deadline = Date.now() + RETRY_MS; ; ) {
    const running = await adopt(home, options.onProgress);
    if (running) return { server: running, adopted: true };
    try {
      const socketFolder = await openSocketFolder(home);
      await spawnPostmaster(home, binaries, {
        socketFolder,
        durable: options.durable,
        timeoutMs: START_TIMEOUT_MS,
      });
    } catch (error) {
      if (Date.now() < deadline && error instanceof Error && BUSY.test(error.message)) continue;
      throw error;
    }
    const started = await findPostmaster(home);
    if (started) return { server: started, adopted: false };
  }
}

/** The server that runs already, once it is ready; one that is stopping, or has lost its socket, is seen off. */
async function adopt(home: Home, onProgress: (message: string) => void): Promise<Postmaster | undefined> {
  const running = await findPostmaster(home);
  if (!running) return undefined;
  if (running.status === "stopping") {
    onProgress("Waiting for the running PostgreSQL to stop");
    if (!(await hasEnded(running.pid, START_TIMEOUT_MS))) await stopPostmaster(home);
    return undefined;
  }
  if (running.status !== "ready") onProgress("Waiting for the running PostgreSQL to become ready");
  if (!(await isReady(home, () => !isRunning(running.pid), START_TIMEOUT_MS))) return undefined;
  const ready = await findPostmaster(home);
  if (ready && (await unless(lstat(socketFile(ready.socketFolder)), "ENOENT"))) return ready;
  await stopPostmaster(home);
  return undefined;
}
