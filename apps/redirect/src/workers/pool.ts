import { setTimeout as sleep } from "node:timers/promises";
import {
  connectionsOf,
  listen,
  ListenError,
  type Listener,
  type ListeningSocket,
  logEvent,
  type Logger,
  type Node,
  type NodeApp,
  type Settings,
} from "@terse/server";
import type { RedirectCore } from "@terse/core/redirect";
import { createWorkerReports, reportMs, type WorkerReport } from "./reports.ts";
import { type WorkerProcess, startWorker } from "./worker-process.ts";

export interface WorkersOptions {
  settings: Settings;
  /** The database URL for the workers */
  databaseUrl: string;
  logger: Logger;
  /** Receives the workers' state, and is passed to them */
  node?: Node;
}

/** How long workers of a killed main process may still hold the port; closing it is the first thing they do. */
const orphanTimeoutMs = 3000;
/** Delay before a worker that failed to listen is restarted; it doubles with each failure. */
const minBackoffMs = 100;
const maxBackoffMs = 10_000;
/** So often a worker may fail to start before its socket is closed. */
const patientFailures = 3;
/** Added to the grace period of the listener, for closing the click log. */
const closingMs = 2000;

/**
 * Runs REDIRECT_WORKERS processes that share the short-link port, and replaces those that die. They stop by themselves
 * when this process is gone.
 * @throws {ListenError} if the port is not available; {WorkersError} if a worker does not start
 */
export async function startWorkers(
  options: WorkersOptions & { core: Pick<RedirectCore, "state"> },
): Promise<Listener> {
  const { settings, databaseUrl, logger, node, core } = options;
  const { url, port } = await checkPort(options);
  const environment = {
    DATABASE_URL: databaseUrl,
    // Workers inherit this process's environment. Both variables at once are refused.
    DATABASE_URL_FILE: "",
    DATABASE_POOL: String(connectionsOf(settings).workerTotal),
    DATA_DIR: settings.DATA_DIR,
    BASE_URL: settings.BASE_URL,
    SHORT_BASE: settings.SHORT_BASE,
    REDIRECT_PORT: String(port),
    REDIRECT_WORKERS: "0",
    LOG_LEVEL: settings.LOG_LEVEL,
    LOG_FORMAT: settings.LOG_FORMAT,
  };
  const stopping = new AbortController();
  const running = new Set<WorkerProcess>();
  const reports = createWorkerReports(settings.REDIRECT_WORKERS);
  node?.add(reports.source);
  const tell = () => {
    const main = { checks: core.state.checks(), isDraining: node?.isDraining ?? false };
    for (const run of running) run.send({ main });
  };
  const telling = setInterval(tell, reportMs);
  telling.unref();
  node?.onDrain(tell);

  function start(socket?: ListeningSocket): WorkerProcess {
    const note = (report: WorkerReport["report"]) => {
      // A message may arrive after the end.
      if (running.has(run)) reports.note(run.pid, report);
    };
    const run = startWorker(environment, note, socket);
    running.add(run);
    void run.ended.then(() => {
      running.delete(run);
      reports.forget(run.pid);
    });
    // If one worker stops, its clients reconnect to the others. If all stop, clients must not reconnect before all have closed.
    void run.closed.then(() => stopping.signal.aborted || run.release());
    return run;
  }

  async function supervise(run: WorkerProcess): Promise<void> {
    // While a worker is replaced, connections wait in its socket. They do not wait for one that cannot start.
    for (let failures = 0; ; run = start(failures < patientFailures ? run.socket : undefined)) {
      const reason = await run.ended;
      if (stopping.signal.aborted) return run.socket?.close();
      failures = run.wasReady ? 0 : failures + 1;
      logEvent(logger, "redirect_worker_replaced", { worker: run.pid, reason });
      const delay = failures === 0 ? 0 : Math.min(minBackoffMs * 2 ** (failures - 1), maxBackoffMs);
      if (failures >= patientFailures) run.socket?.close();
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return run.socket?.close();
    }
  }

  async function close(graceMs = 10_000): Promise<void> {
    stopping.abort();
    clearInterval(telling);
    const all = [...running];
    for (const run of all) {
      // Only the workers have the sockets then, and close them when they have accepted what waits.
      run.socket?.close();
      run.stop();
    }
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
  for (const run of first) void supervise(run);
  return { url, port, close };
}

/** Checks that the port is free first, because workers would share it with any process that allows that. */
async function checkPort({ settings }: Pick<WorkersOptions, "settings">): Promise<Listener> {
  const placeholder: NodeApp = async (_request, response) => void response.writeHead(503).end();
  for (const deadline = Date.now() + orphanTimeoutMs; ; await sleep(50)) {
    try {
      const listener = await listen({
        name: "redirect",
        app: placeholder,
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
