import cluster, { type Worker } from "node:cluster";
import { extname, join } from "node:path";
import type { SendHandle } from "node:child_process";
import { type ListeningSocket, UserError } from "@terse/server";
import { socketVariable } from "../config.ts";
import { isWorkerReport, type MainReport, type WorkerReport } from "./reports.ts";

/** Messages between workers and the main process. */
export const messages = {
  /** From a worker: it listens. */
  ready: "ready",
  /** From a worker: it is stopping and accepts no more connections. */
  closed: "closed",
  /** From the main process: no other worker is about to close, so clients may be told to reconnect. */
  release: "release",
  /** From a worker that shall listen on a socket that exists; the main process answers with the same message and the socket. */
  socketWanted: "socket wanted",
  /** From a worker, with the socket that it opened: the main process keeps it open for the worker's successor. */
  socketOpened: "socket opened",
  /** From the main process: stop now. A SIGTERM from elsewhere waits for DRAIN_DELAY first, as in the main process. */
  stop: "stop",
} as const;

/** A worker from its start to its end. */
export interface WorkerProcess {
  readonly pid: number;
  /** Whether it has ever listened */
  readonly wasReady: boolean;
  /** The socket that it listens on, which outlives it; undefined before it is known, and where sockets cannot be kept */
  readonly socket: ListeningSocket | undefined;
  /** Resolves when it listens; rejects if it exits before that. */
  readonly ready: Promise<void>;
  /** Resolves with its exit code or the name of the signal that ended it */
  readonly ended: Promise<string>;
  /** Resolves when it accepts no more connections, because it is stopping or has exited. */
  readonly closed: Promise<void>;
  /** Lets a closed worker tell its clients to reconnect. */
  release(): void;
  /** Tells it how the main process is. */
  send(report: MainReport): void;
  /** Stops it without waiting for DRAIN_DELAY. */
  stop(): void;
  signal(name: NodeJS.Signals): void;
}

/** A worker did not start. The message is one line; the worker itself has written the reason. */
export class WorkersError extends UserError {
  override readonly name = "WorkersError";
}

/**
 * Starts a worker with these settings instead of the main process's; one that cannot be started has ended at once. With `socket`,
 * it listens on the socket of a worker that has ended.
 */
export function startWorker(
  settings: Readonly<Record<string, string>>,
  onReport: (report: WorkerReport["report"]) => void = () => {},
  socket?: ListeningSocket,
): WorkerProcess {
  const { dirname, filename } = import.meta;
  cluster.setupPrimary({ exec: join(dirname, `worker${extname(filename)}`), args: [] });
  try {
    const worker = cluster.fork({ ...settings, [socketVariable]: socket ? "inherited" : "" });
    return trackWorker(worker, onReport, socket);
  } catch (error) {
    return neverStarted(error instanceof Error ? error.message : String(error), socket);
  }
}

const didNotStart = (how: string) => new WorkersError(`A redirect worker did not start (${how})`);

function neverStarted(reason: string, socket: ListeningSocket | undefined): WorkerProcess {
  const ready = Promise.reject(didNotStart(reason));
  ready.catch(() => {});
  const ended = Promise.resolve(reason);
  const closed = Promise.resolve();
  const nothing = () => {};
  return {
    pid: 0,
    wasReady: false,
    socket,
    ready,
    ended,
    closed,
    release: nothing,
    send: nothing,
    stop: nothing,
    signal: nothing,
  };
}

function trackWorker(
  worker: Worker,
  onReport: (report: WorkerReport["report"]) => void,
  inherited: ListeningSocket | undefined,
): WorkerProcess {
  let wasReady = false;
  let socket = inherited;
  /** Without a socket, which may be closed since, the worker opens one. */
  function giveSocket(open?: ListeningSocket): void {
    if (!worker.isConnected()) return;
    worker.send(messages.socketWanted, open as SendHandle | undefined, (error) => {
      if (error && open) giveSocket();
    });
  }
  worker.on("message", (message: unknown, received: unknown) => {
    if (isWorkerReport(message)) onReport(message.report);
    if (message === messages.socketOpened && received) socket = received as ListeningSocket;
    if (message === messages.socketWanted) giveSocket(inherited);
  });
  const tell = (message: string | MainReport) => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  const ended = new Promise<string>((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal || `exit code ${code}`));
    // A process that never ran emits no exit. Any other error is about a message to a worker that is exiting.
    worker.on("error", (error) => worker.process.pid === undefined && resolve(error.message));
  });
  const received = (wanted: string) =>
    new Promise<void>((resolve) => {
      worker.on("message", (message: unknown) => {
        if (message === wanted) resolve();
      });
    });
  const ready = new Promise<void>((resolve, reject) => {
    void received(messages.ready).then(() => {
      wasReady = true;
      resolve();
    });
    void ended.then((how) => reject(didNotStart(how)));
  });
  ready.catch(() => {});
  return {
    pid: worker.process.pid ?? 0,
    get wasReady() {
      return wasReady;
    },
    get socket() {
      return socket;
    },
    ready,
    ended,
    closed: Promise.race([received(messages.closed), ended.then(() => {})]),
    release: () => tell(messages.release),
    send: tell,
    stop: () => (worker.isConnected() ? tell(messages.stop) : void worker.process.kill("SIGTERM")),
    signal: (name) => void worker.process.kill(name),
  };
}
