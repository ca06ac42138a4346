import { setting } from "./databases.ts";
import { type Home, openHome } from "./home.ts";
import { hasOtherUsers, releaseLease, takeLease } from "./leases.ts";
import { withLock } from "./lock.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";
import { ensureServiceDatabase, serviceRole, superuser } from "./roles.ts";
import { run, startTimeoutMs } from "./run.ts";
import { socketUrl } from "./socket.ts";
import { watchPostmaster } from "./watch.ts";

export interface PostgresServer {
  /** libpq URL of the service's database, as its owner: `postgresql://terse_service@%2Ffolder:5432/terse`. */
  readonly url: string;
  /** The same as superuser, for tests, which create databases. */
  readonly adminUrl: string;
  /** True when a server that was already running was adopted. */
  readonly adopted: boolean;
  /** For example `18.4`. */
  readonly version: string;
  /** Releases the server; after the last live user it stops, within 18 seconds. Can be called repeatedly. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Data folder, created if missing. All files are in its subfolder `postgres`. */
  dataDir: string;
  /** The service's database, created if missing; default `terse`. */
  database?: string;
  /** False trades safety against machine crashes for speed, for tests; default true. */
  durable?: boolean;
  /** Called with a sentence before steps that take noticeable time. */
  onProgress?: (message: string) => void;
  /** Called with a sentence if the server exits while in use, and about its restart; default onProgress. */
  onTrouble?: (message: string) => void;
}

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that already runs there. Every call is one user of the
 * server, until its `stop()` or the end of its process; the server outlives a killed process. If it exits while in use,
 * for example by `kill -9`, it is restarted within seconds, under the same URL.
 * @throws an error with one sentence that says what to do, if the server cannot run
 */
export async function startPostgres(options: StartOptions): Promise<PostgresServer> {
  const { database = "terse", durable = true, onProgress = () => {}, onTrouble = onProgress } = options;
  const home = await openHome(options.dataDir);
  const locked = <T>(task: () => Promise<T>) => withLock(home.lock, startTimeoutMs, task);
  return locked(async () => {
    const lease = await takeLease(home.leases);
    try {
      const { socketFolder, adopted } = await run(home, lease, { durable, onProgress });
      await ensureServiceDatabase(socketUrl(socketFolder, "postgres", superuser), database);
      const url = socketUrl(socketFolder, database, serviceRole);
      const adminUrl = socketUrl(socketFolder, database, superuser);
      const version = await setting(url, "server_version");
      const stopping = new AbortController();
      const restart = () =>
        locked(async () => {
          if (stopping.signal.aborted || (await findPostmaster(home))) return;
          onTrouble("PostgreSQL exited unexpectedly; restarting it");
          await run(home, lease, { durable, onProgress: onTrouble });
          onTrouble("PostgreSQL is running again");
        });
      void watchPostmaster(home, { signal: stopping.signal, restart, onTrouble });
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopping.abort();
        return (stopped ??= locked(() => release(home, lease)));
      };
      return { url, adminUrl, adopted, version, stop };
    } catch (error) {
      await release(home, lease);
      throw error;
    }
  });
}

async function release(home: Home, lease: string): Promise<void> {
  await releaseLease(lease);
  if (!(await hasOtherUsers(home.leases, lease))) await stopPostmaster(home);
}
