import { ensureDatabase, setting } from "./databases.ts";
import { type Home, openHome } from "./home.ts";
import { hasOtherUsers, leaveLease, takeLease } from "./leases.ts";
import { withLock } from "./lock.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";
import { run, startTimeoutMs } from "./run.ts";
import { socketUrl } from "./socket.ts";
import { watchPostmaster } from "./watch.ts";

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
  /** Told, in a sentence, of a server that has ended while it was in use, and what comes of it; default onProgress. */
  onTrouble?: (message: string) => void;
}

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that runs there already. Every call is one user of
 * the server, until its `stop()` or the end of its process; the server itself outlives a killed process. One that
 * ends while it has users, such as by `kill -9`, is started again within seconds, under the same URL.
 * @throws one sentence saying what to do, where it cannot run
 */
export async function startPostgres(options: StartOptions): Promise<PostgresServer> {
  const { database = "terse", durable = true, onProgress = () => {}, onTrouble = onProgress } = options;
  const home = await openHome(options.dataDir);
  const locked = <T>(task: () => Promise<T>) => withLock(home.lock, startTimeoutMs, task);
  return locked(async () => {
    const lease = await takeLease(home.leases);
    try {
      const { socketFolder, adopted } = await run(home, lease, { durable, onProgress });
      const url = await ensureDatabase(socketUrl(socketFolder, "postgres"), database);
      const version = await setting(url, "server_version");
      const leaving = new AbortController();
      const restart = () =>
        locked(async () => {
          if (leaving.signal.aborted || (await findPostmaster(home))) return;
          onTrouble("PostgreSQL has ended: starting it again");
          await run(home, lease, { durable, onProgress: onTrouble });
          onTrouble("PostgreSQL runs again");
        });
      void watchPostmaster(home, { signal: leaving.signal, restart, onTrouble });
      let left: Promise<void> | undefined;
      const stop = () => {
        leaving.abort();
        return (left ??= locked(() => leave(home, lease)));
      };
      return { url, adopted, version, stop };
    } catch (error) {
      await leave(home, lease);
      throw error;
    }
  });
}

async function leave(home: Home, lease: string): Promise<void> {
  await leaveLease(lease);
  if (!(await hasOtherUsers(home.leases, lease))) await stopPostmaster(home);
}
