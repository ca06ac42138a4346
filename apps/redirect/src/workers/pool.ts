import { setTimeout as sleep } from "node:timers/promises";
import { listen, ListenError, type Listener, type Logger, type Settings } from "@terse/server";
import { type WorkerProcess, startWorker } from "./worker-process.ts";

export interface WorkersOptions {
  settings: Settings;
  /** The database as workers reach it */
  databaseUrl: string;
  logger: Logger;
}

/** How long workers of a main process that was killed may hold the port: they close it first of all. */
const leftoverMs = 3000;
/** A worker that does not get to listen is tried again after this, then after twice as long, and so on. */
const backoffMs = 100;
const longestBackoffMs = 10_000;
/** Past the grace of its listener a worker has only its click log left to close. */
const closingMs = 2000;

/**
 * Runs REDIRECT_WORKERS processes that share the short-link port, and replaces those that die. They stop by
 * themselves when this process is gone.
 * @throws {ListenError} where the port cannot be had; {WorkersError} where a worker does not start
 */
export async function startWorkers(options: WorkersOptions): Promise<Listener> {
  const { settings, databaseUrl, logger } = options;
  const { url, port } = await tryPort(options);
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: settings.DATA_DIR,
    BASE_URL: settings.BASE_URL,
    SHORT_BASE: settings.SHORT_BASE,
    REDIRECT_PORT: String(port),
    REDIRECT_WORKERS: "1",
  };
  const stopping = new AbortController();
  const running = new Set<WorkerProcess>();

  function start(): WorkerProcess {
    const run = startWorker(environment);
    running.add(run);
    void run.ended.then(() => running.delete(run));
    // The clients of one that stops alone find the others; where all stop, nobody is sent away before all are closed.
    void run.closed.then(() => stopping.signal.aborted || run.release());
    return run;
  }

  async function keep(run: WorkerProcess): Promise<void> {
    for (let failures = 0; ; run = start()) {
      const reason = await run.ended;
      if (stopping.signal.aborted) return;
      failures = run.wasReady ? 0 : failures + 1;
      logger.error({ worker: run.pid, reason }, "a redirect worker ended; another takes its place");
      const pause = failures === 0 ? 0 : Math.min(backoffMs * 2 ** (failures - 1), longestBackoffMs);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  async function close(graceMs = 10_000): Promise<void> {
    stopping.abort();
    const all = [...running];
    for (const run of all) run.signal("SIGTERM");
    const cut = setTimeout(() => {
      for (const run of all) run.signal("SIGKILL");
    }, graceMs + closingMs);
    await Promise.all(all.map((run) => run.closed));
    for (const run of all) run.release();
    await Promise.all(all.map((run) => run.ended));
    clearTimeout(cut);
  }

  const first = Array.from({ length: settings.REDIRECT_WORKERS }, start);
  try {
    await Promise.all(first.map((run) => run.ready));
  } catch (error) {
    await close(0);
    throw error;
  }
  for (const run of first) void keep(run);
  return { url, port, close };
}

/** Workers would share the port with any process that lets them: whether it is free shows before they try. */
async function tryPort({ settings }: Pick<WorkersOptions, "settings">): Promise<Listener> {
  const nobody = { fetch: () => new Response(null, { status: 503 }) };
  for (const deadline = Date.now() + leftoverMs; ; await sleep(50)) {
    try {
      const listener = await listen({
        name: "redirect",
        app: nobody,
        host: settings.HOST,
        port: settings.REDIRECT_PORT,
        portSetting: "REDIRECT_PORT",
      });
      await listener.close(0);
      return listener;
    } catch (error) {
      const taken = error instanceof ListenError && error.code === "EADDRINUSE";
      if (!taken || Date.now() > deadline) throw error;
    }
  }
}
